import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightCatalog
import SafelightFiles
import SafelightFormats
import Synchronization

import struct SafelightStorage.Record
import struct SafelightStorage.RecordedFile

/// An asset that a change set creates, as its requests describe it.
struct NewAsset: Sendable {
  let identifier: String
  var resources: [AssetResource.ResourceType: NewResource] = [:]
  /// The renders of versions, of which there may be several.
  var versions: [NewResource] = []
  var edit: ContentEditingOutput?

  /// The new assets of a change set, in their order.
  ///
  /// - Throws: ``PhotoLibraryError`` for an asset that cannot be created from its files. No file was read
  ///   then.
  static func all(in requests: [RequestedChange]) throws(PhotoLibraryError) -> [NewAsset] {
    var assets: [NewAsset] = []
    var types: [String: [AssetResource.ResourceType]] = [:]
    for request in requests {
      if case .createAsset(let identifier) = request {
        assets.append(NewAsset(identifier: identifier))
      }
    }
    let places = Dictionary(
      assets.indices.map { (assets[$0].identifier, $0) }, uniquingKeysWith: { first, _ in first })
    for request in requests {
      switch request {
      case .addResource(let identifier, let resource):
        types[identifier, default: []].append(resource.type)
        guard let place = places[identifier] else { continue }
        if resource.type == .alternatePhoto {
          assets[place].versions.append(resource)
        } else {
          assets[place].resources[resource.type] = resource
        }
      case .asset(let identifier, .edit(let output)):
        if let place = places[identifier] { assets[place].edit = output }
      default: break
      }
    }
    for asset in assets { try asset.check(types[asset.identifier] ?? []) }
    return assets
  }

  private func check(_ types: [AssetResource.ResourceType]) throws(PhotoLibraryError) {
    guard types.contains(.photo) else { throw .missingResource(identifier) }
    guard AssetCreationRequest.supportsAssetResourceTypes(types) else {
      let names = types.map(\.rawValue).joined(separator: ", ")
      throw .changeNotSupported("\(identifier) cannot be made of these files: \(names).")
    }
    if edit != nil, types.count > 1 {
      throw .changeNotSupported("\(identifier) cannot have both a sidecar and a new edit.")
    }
    if let created = edit?.createdPhoto, created != identifier {
      throw .changeNotSupported("The edit of \(identifier) was made for another new photo.")
    }
  }
}

/// Stages one new asset: copies its files, reads them, and stages its edit.
struct AssetStaging {
  private let creation: NewAsset
  private let folder: Folder
  private let editor: PhotoEditor
  private let fileSystem: FileSystem
  private var moved: [Stage.MovedSource] = []

  /// - Parameter folder: The empty folder of the asset's staged files.
  init(_ creation: NewAsset, in folder: Folder, _ editor: PhotoEditor) {
    (self.creation, self.folder, self.editor) = (creation, folder, editor)
    fileSystem = folder.fileSystem
  }

  /// Stages the asset.
  ///
  /// - Throws: ``PhotoLibraryError/missingResource(_:)``,
  ///   ``PhotoLibraryError/invalidResource(_:detail:)``, or another.
  mutating func staged(_ names: inout FreeNames) async throws(PhotoLibraryError) -> Stage.Asset {
    guard let photo = creation.resources[.photo] else {
      throw .missingResource(creation.identifier)
    }
    try copy(photo, to: "photo")
    let inspected = try await inspect("photo", of: photo)
    let target = names.folder(for: inspected.captureTime.date)
    let name = try names.take(try Self.name(of: photo, inspected.original.format), in: target)
    try onDisk(name) {
      try folder.rename("photo", to: name, replacing: false)
    }
    try await addEdit(to: name)
    let files = try onDisk(name) {
      try folder.sync()
      return try folder.names()
    }
    return Stage.Asset(
      stageFolder: folder.path, folder: target, name: name,
      files: files.filter { $0 != name } + [name], photo: try await inspect(name, of: photo),
      moved: moved)
  }

  @discardableResult
  private func onDisk<Result>(
    _ name: FilePath, _ work: () throws -> Result
  ) throws(PhotoLibraryError) -> Result {
    try withLibraryErrors(at: folder.path.appending(name), work)
  }

  private func inspect(
    _ name: FilePath, of photo: NewResource
  ) async throws(PhotoLibraryError) -> IndexedPhoto {
    let path = folder.path.appending(name)
    do throws(EditError) {
      if case .photo(let photo) = PhotoReader().read(IndexingJob(photoAt: path)) { return photo }
      // The editor throws the reason why the file is no photo.
      _ = try await editor.state(of: Photo(path: path))
      throw .render(path: path, .notAPicture)
    } catch {
      if case .cancelled = error { throw .userCancelled }
      throw .invalidResource(photo.path(in: creation), detail: error.description)
    }
  }

  /// Copies a resource to a name in the staged folder, or in a folder inside it.
  private mutating func copy(
    _ resource: NewResource, to name: FilePath, in inner: Folder? = nil
  ) throws(PhotoLibraryError) {
    let folder = inner ?? self.folder
    do throws(FileSystemError) {
      switch resource.source {
      case .data(let data): try fileSystem.write(Array(data), toNewFile: name, in: folder)
      case .file(let path) where resource.shouldMoveFile: try link(path, to: name, in: folder)
      case .file(let path): try fileSystem.copy(path, toNewFile: name, in: folder)
      }
    } catch {
      let path = resource.path(in: creation)
      switch error.errno {
      case ENOENT, ENOTDIR: throw .missingResource("\(creation.identifier): \(path)")
      case ENOSPC, EDQUOT: throw .notEnoughSpace(folder.path.appending(name))
      default: throw .invalidResource(path, detail: error.reason)
      }
    }
  }

  /// Gives a file that will be removed from its old place a second name in the staged folder, or copies
  /// it.
  private mutating func link(
    _ path: FilePath, to name: FilePath, in folder: Folder
  ) throws(FileSystemError) {
    guard let status = try fileSystem.statusFollowingLinks(of: path) else {
      throw FileSystemError(.init(.open, path), errno: ENOENT)
    }
    // A file with several names could be changed by another name later, so it is copied.
    let isPlain = try fileSystem.status(of: path)?.kind == .file && status.linkCount == 1
    if isPlain, (try? fileSystem.link(path, to: folder.path.appending(name))) == true {
      try fileSystem.sync(folder.open(name))
    } else {
      try fileSystem.copy(path, toNewFile: name, in: folder)
    }
    moved.append(Stage.MovedSource(path: path, status: status))
  }

  /// Stages the edit that the asset comes with.
  private mutating func addEdit(to name: FilePath) async throws(PhotoLibraryError) {
    if let edit = creation.edit {
      guard let data = edit.adjustmentData else {
        throw .editing(
          .outputRefused(path: folder.path.appending(name), problem: .noAdjustmentData))
      }
      return try await commit(
        data, by: edit.editorBundleIdentifier, render: edit.renderedContentPath, to: name)
    }
    guard let sidecar = creation.resources[.adjustmentData] else { return }
    let place = name.suffixed(".aae")
    try copy(sidecar, to: place)
    let record: Record
    do {
      record = try Record(parsing: try folder.contents(of: place, limit: Record.maximumSize))
    } catch {
      throw .invalidResource(sidecar.path(in: creation), detail: "\(error)")
    }
    if try await restore(record, at: place, to: name) {
      return try await makeMissingRenders(of: record, for: name)
    }
    guard let render = creation.resources[.fullSizePhoto] else { return }
    // The files are not as the sidecar says. Its data and the render become a new edit.
    try onDisk(place) { try folder.remove(place) }
    try copy(render, to: "render")
    try await commit(
      record.adjustmentData, by: record.editorBundleID ?? "",
      render: folder.path.appending("render"), to: name)
    try onDisk("render") { try folder.remove("render") }
  }

  /// Makes those renders that a sidecar names and that did not come with it. The record then names the new
  /// files; otherwise it stays byte for byte.
  ///
  /// Renders of other programs cannot be made. Their edits and versions stay without them, as `edit verify` says.
  private func makeMissingRenders(
    of record: Record, for name: FilePath
  ) async throws(PhotoLibraryError) {
    guard
      creation.resources[.fullSizePhoto] == nil || creation.versions.count < record.versions.count
    else { return }
    do throws(EditError) {
      try await editor.renderAgain(Photo(path: folder.path.appending(name)))
    } catch {
      switch error {
      case .cancelled: throw .userCancelled
      // A disk that is full or fails is no property of the edit.
      case .fileSystem, .storage(.fileSystem): throw PhotoLibraryError(error)
      default: break
      }
    }
  }

  /// Gives the photo its sidecar as it is, with those of render, base photo and versions that came with it, when
  /// all of them are the files that the sidecar names. Then history and versions come along.
  ///
  /// - Parameters:
  ///   - record: What the sidecar says.
  ///   - place: The copied sidecar.
  ///   - name: The photo in the staged folder.
  /// - Returns: Whether the photo has the edit now; otherwise only the sidecar is in the folder.
  private mutating func restore(
    _ record: Record, at place: FilePath, to name: FilePath
  ) async throws(PhotoLibraryError) -> Bool {
    guard let original = record.original, let render = record.render?.file else { return false }
    let base = creation.resources[.adjustmentBasePhoto]
    guard (base == nil) == (record.base == nil) else { return false }
    // The files as another photo's, in a folder of their own, whose edit the new photo then takes over.
    let own = folder
    let former: FilePath = "former"
    defer { try? own.removeTree(former) }
    let inner = try onDisk(former) {
      try own.createFolder(former)
      return try own.folder(former)
    }
    var files: [(resource: NewResource, candidates: [RecordedFile])] = []
    if let given = creation.resources[.fullSizePhoto] { files.append((given, [render])) }
    if let base { files.append((base, record.base.map { [$0] } ?? [])) }
    for version in creation.versions {
      files.append((version, record.versions.map(\.render.file)))
    }
    for (resource, candidates) in files {
      try copy(resource, to: "copied", in: inner)
      let digest = try onDisk(former) {
        try fileSystem.digest(of: inner.open("copied"))
      }
      guard let file = candidates.first(where: { $0.sha256 == digest }) else { return false }
      try onDisk(former) {
        try inner.rename("copied", to: file.name, replacing: true)
      }
    }
    // Under its old name, the photo keeps every byte of its sidecar.
    let digest = try onDisk(name) {
      try fileSystem.digest(of: own.open(name))
    }
    if original.name == name, original.sha256 == digest {
      try onDisk(name) {
        for file in try inner.names() {
          try inner.rename(file, to: file, in: own, replacing: false)
        }
      }
      return true
    }
    let sidecar = original.name.suffixed(".aae")
    try onDisk(place) {
      try own.rename(place, to: sidecar, in: inner, replacing: false)
    }
    let outcome = Mutex<Result<Relinking, RelinkError>?>(nil)
    do throws(EditError) {
      try await editor.relink([inner.path.appending(sidecar)], lookingIn: [folder.path]) {
        _, result in
        outcome.withLock { $0 = result }
      }
    } catch {
      throw PhotoLibraryError(error)
    }
    if case .success(let relinking)? = outcome.withLock(\.self), relinking.photo != nil {
      return true
    }
    try onDisk(place) {
      try inner.rename(sidecar, to: place, in: own, replacing: false)
    }
    return false
  }

  private func commit(
    _ data: AdjustmentData, by program: String, render: FilePath, to name: FilePath
  ) async throws(PhotoLibraryError) {
    let original = folder.path.appending(name)
    do throws(EditError) {
      let input = try await editor.contentEditingInput(for: Photo(path: original))
      let output = ContentEditingOutput(
        contentEditingInput: input, editorBundleIdentifier: program)
      output.adjustmentData = data
      let target = output.renderedContentPath
      do throws(FileSystemError) {
        let parent = try Folder(target.removingLastComponent(), fileSystem)
        try fileSystem.copy(render, toNewFile: target.lastComponent ?? target, in: parent)
      } catch {
        // Without a render the commit throws its own error.
        if error.errno != ENOENT { throw .fileSystem(path: original, error) }
      }
      try await editor.commit(output)
    } catch {
      throw PhotoLibraryError(error)
    }
  }

  /// The original's name in the library.
  private static func name(
    of photo: NewResource, _ format: PhotoFormat
  ) throws(PhotoLibraryError) -> FilePath {
    var name: FilePath?
    if let given = photo.originalFilename {
      name = FilePath(given)
    } else if case .file(let path) = photo.source {
      name = path.lastComponent
    }
    guard let name else { return FilePath("photo.\(format.file.fileExtensions[0])") }
    // Hidden files are no photos. Sidecar and render need room for their endings.
    guard name.bytes.first != UInt8(ascii: "."), !name.bytes.contains(UInt8(ascii: "/")),
      (1...200).contains(name.bytes.count)
    else {
      throw .changeNotSupported("No photo can be called \"\(name)\".")
    }
    return name
  }
}

extension NewResource {
  /// The file, or the asset's identifier for data; for messages.
  fileprivate func path(in creation: NewAsset) -> FilePath {
    if case .file(let path) = source { path } else { FilePath(creation.identifier) }
  }
}

extension FileSystem {
  /// Copies a file with its times to a new name, and flushes the copy.
  fileprivate func copy(
    _ source: FilePath, toNewFile name: FilePath, in folder: Folder
  ) throws(FileSystemError) {
    let file = try openForReading(source)
    let facts = try status(of: file)
    guard facts.kind == .file else { throw FileSystemError(.init(.open, source), errno: EISDIR) }
    let target = try folder.create(name)
    try copy(file, to: target)
    try setTimes(of: target, accessed: facts.accessed, modified: facts.modified)
    try sync(target)
  }

  /// Writes data to a new name, and flushes it.
  fileprivate func write(
    _ bytes: [UInt8], toNewFile name: FilePath, in folder: Folder
  ) throws(FileSystemError) {
    let target = try folder.create(name)
    try write(bytes, to: target)
    try sync(target)
  }
}

extension FileSystemError {
  /// The system's reason, in words.
  var reason: String { String(cString: strerror(errno)) }
}

extension PhotoLibraryError {
  /// The error for a file of the library itself.
  init(_ error: FileSystemError, _ path: FilePath) {
    self =
      error.errno == ENOSPC || error.errno == EDQUOT
      ? .notEnoughSpace(path) : .catalog(path, detail: error.reason)
  }
}
