import FoundationEssentials
import Glibc
import PhotoEditing
import SafelightStorage

/// One new asset on its way onto the stage.
struct Incoming {
  private let creation: NewAsset
  private let folder: FilePath
  private let editor: PhotoEditor

  init(_ creation: NewAsset, _ folder: FilePath, _ editor: PhotoEditor) {
    (self.creation, self.folder, self.editor) = (creation, folder, editor)
  }

  /// Copies the asset's files, looks at them, and makes its edit.
  ///
  /// - Throws: ``PhotoLibraryError/missingResource(_:)``,
  ///   ``PhotoLibraryError/invalidResource(_:detail:)``, or another.
  func staged(_ names: inout FreeNames) async throws(PhotoLibraryError) -> Stage.Asset {
    guard let photo = creation.resources[.photo] else {
      throw .missingResource(creation.identifier)
    }
    do { try FileSteps.createFolders(folder) } catch { throw PhotoLibraryError(error, folder) }
    var moved: [(path: FilePath, facts: FileFacts)] = []
    let unnamed = folder.appending("photo")
    try take(photo, to: unnamed, &moved)
    let seen = try await look(at: unnamed, photo)
    let target = names.folder(for: seen.creationDate ?? Date())
    let name = try names.take(try Self.name(of: photo, seen.format), in: target)
    let original = folder.appending(name)
    do { try FileSteps.rename(unnamed, to: original) } catch {
      throw PhotoLibraryError(error, original)
    }
    try await addEdit(to: original, &moved)
    do { try FileSteps.sync(folder) } catch { throw PhotoLibraryError(error, folder) }
    let files = try fileNames().filter { $0 != name } + [name]
    return Stage.Asset(
      stageFolder: folder, folder: target, name: name, files: files,
      seen: try await look(at: original, photo), moved: moved)
  }

  private func look(
    at path: FilePath, _ photo: NewResource
  ) async throws(PhotoLibraryError) -> SeenPhoto {
    do { return try await SeenPhoto(at: path, editor) } catch {
      if case .cancelled = error { throw .userCancelled }
      throw .invalidResource(photo.path(in: creation), detail: error.description)
    }
  }

  private func fileNames() throws(PhotoLibraryError) -> [FilePath] {
    do { return try FileSystem.real.namesIfPresent(in: folder) } catch {
      throw .catalog(folder, detail: error.description)
    }
  }

  /// Puts a resource's bytes under a name on the stage.
  private func take(
    _ resource: NewResource, to target: FilePath,
    _ moved: inout [(path: FilePath, facts: FileFacts)]
  ) throws(PhotoLibraryError) {
    do throws(FileSteps.Refusal) {
      switch resource.source {
      case .data(let data): try FileSteps.write(data, to: target)
      case .file(let path):
        guard resource.options.shouldMoveFile, let facts = FileFacts(path) else {
          return try FileSteps.copy(path, to: target)
        }
        // A file with one name can get a second one; others could be written to by their other name.
        let isPlain = FileFacts(path, followingLinks: false)?.isFile == true && facts.links == 1
        if isPlain, (try? FileSteps.link(path, to: target)) != nil {
          try FileSteps.sync(target)
        } else {
          try FileSteps.copy(path, to: target)
        }
        moved.append((path, facts))
      }
    } catch {
      let path = resource.path(in: creation)
      switch error.errno {
      case ENOENT, ENOTDIR: throw .missingResource("\(creation.identifier): \(path)")
      case ENOSPC, EDQUOT: throw .notEnoughSpace(target)
      default: throw .invalidResource(path, detail: error.detail)
      }
    }
  }

  /// Gives the original on the stage the edit that it comes with.
  private func addEdit(
    to original: FilePath, _ moved: inout [(path: FilePath, facts: FileFacts)]
  ) async throws(PhotoLibraryError) {
    if let edit = creation.edit {
      guard let data = edit.adjustmentData else {
        throw .editing(.outputRefused(path: original, problem: .noAdjustmentData))
      }
      try await commit(
        data, by: edit.editorBundleIdentifier, to: original
      ) { (target) throws(FileSteps.Refusal) in
        try FileSteps.copy(edit.renderedContentPath, to: target)
      }
      return
    }
    guard let sidecar = creation.resources[.adjustmentData] else { return }
    let place = FilePath(bytes: original.bytes + Array(".aae".utf8))
    try take(sidecar, to: place, &moved)
    let record: Record
    do {
      let bytes = try FileSystem.real.contents(of: place, limit: Record.maximumSize)
      record = try Record(parsing: bytes)
    } catch {
      throw .invalidResource(sidecar.path(in: creation), detail: "\(error)")
    }
    guard let render = creation.resources[.fullSizePhoto] else { return }
    // With its render it becomes the edit; the sidecar is written anew, around these files.
    do { try FileSteps.unlink(place) } catch { throw PhotoLibraryError(error, place) }
    let copy = folder.appending("render")
    try take(render, to: copy, &moved)
    try await commit(
      record.adjustmentData, by: record.editorBundleID ?? "", to: original
    ) { (target) throws(FileSteps.Refusal) in
      try FileSteps.copy(copy, to: target)
      try FileSteps.unlink(copy)
    }
  }

  private func commit(
    _ data: AdjustmentData, by program: String, to original: FilePath,
    render: (FilePath) throws(FileSteps.Refusal) -> Void
  ) async throws(PhotoLibraryError) {
    do throws(EditError) {
      let input = try await editor.contentEditingInput(for: Photo(path: original))
      var output = try ContentEditingOutput(
        contentEditingInput: input, editorBundleIdentifier: program)
      output.adjustmentData = data
      do { try render(output.renderedContentPath) } catch {
        // The commit says that there is no render.
        if error.errno != ENOENT {
          throw .fileSystem(
            path: original, FileSystemError(.init(.write, original), errno: error.errno))
        }
      }
      try await editor.commit(output)
    } catch {
      throw PhotoLibraryError(error)
    }
  }

  /// What the original is to be called.
  private static func name(
    of photo: NewResource, _ format: PhotoFormat
  ) throws(PhotoLibraryError) -> FilePath {
    var name: FilePath?
    if let given = photo.options.originalFilename {
      name = FilePath(given)
    } else if case .file(let path) = photo.source {
      name = path.lastComponent
    }
    guard let name else { return FilePath("photo.\(format.usualExtension)") }
    // Hidden files are no photos, and sidecar and render need room for their endings.
    guard name.bytes.first != UInt8(ascii: "."), !name.bytes.contains(UInt8(ascii: "/")),
      (1...200).contains(name.bytes.count)
    else {
      throw .changeNotSupported("No photo can be called \"\(name)\".")
    }
    return name
  }
}

extension NewResource {
  /// The file, or for bytes the asset that they are of; for messages.
  fileprivate func path(in creation: NewAsset) -> FilePath {
    if case .file(let path) = source { path } else { FilePath(creation.identifier) }
  }
}

extension PhotoFormat {
  fileprivate var usualExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .tiff: "tif"
    case .webp: "webp"
    case .heic: "heic"
    case .avif: "avif"
    }
  }
}
