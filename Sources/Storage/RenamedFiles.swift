import SafelightFiles
import SafelightMetadata

// Files of an edit that were renamed together with their photo. The record still has their former names. A
// file with the recorded content under a name that Safelight gives to this photo's files is the one that the
// record means. Where no file has the content, a picture that was made from this photo is: somebody retouched it.

extension PhotoNames {
  /// The name of this photo under which a file of its edit is.
  ///
  /// - Returns: `nil` when no file under these names has the recorded content.
  func ownName(
    holding named: Record.File, of record: Record, _ contents: FileContents
  ) throws(StorageError) -> FilePath? {
    for name in candidates(like: named, of: record) {
      let path = path(of: name)
      guard try contents.fileSystem.sizeOfPlainFile(at: path) == named.file.size,
        try contents.content(of: path) == .file(named.file.sha256)
      else { continue }
      // Two photos with one stem may start from copies of the same pixels. Renders have no twins: they name
      // their original.
      if !named.role.isRendered, try isFileOfTwin(name, besides: record, contents.fileSystem) {
        continue
      }
      return name
    }
    return nil
  }

  /// The name of this photo under which a file of its edit is with another content than the recorded one, when
  /// no file is under the recorded name.
  ///
  /// A render names the photo that it was made from. A base need not tell, so it has to have the recorded name
  /// with the photo's new name in it.
  func changedName(
    of named: Record.File, in record: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    guard let original = record.original, try isGone(named, of: original, fileSystem) else {
      return nil
    }
    return try nameOfPicture(for: named, in: record, fileSystem)
  }

  /// The name of this photo, for a file of its edit, under which a picture is that was made from this photo.
  func nameOfPicture(
    for named: Record.File, in record: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> FilePath? {
    guard let original = record.original else { return nil }
    for name in candidates(like: named, of: record) {
      let path = path(of: name)
      guard try fileSystem.sizeOfPlainFile(at: path) != nil else { continue }
      let isOwn =
        named.role.isRendered
        ? fileSystem.referenceOfRender(at: path)?.isAbout(original) == true
        : original.name != self.original && name == newName(of: named, of: record)
      if isOwn, try !isFileOfTwin(name, besides: record, fileSystem) { return name }
    }
    return nil
  }

  /// Whether the recorded name has no file, or has that of the photo that this one was copied from.
  private func isGone(
    _ named: Record.File, of original: RecordedFile, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let path = path(of: named.file.name)
    return try onDisk { () throws(FileSystemError) in
      if try !fileSystem.exists(path) { return true }
      if isOwnName(named) || original.name == self.original { return false }
      return try fileSystem.exists(self.path(of: original.name).recordPath)
    }
  }

  /// The name of this photo that a file of its edit got when photo and file were renamed together.
  ///
  /// A file that is under its recorded name is not read, as long as this photo's files may have that name.
  /// - Returns: `nil` when the file has its recorded name, or is nowhere.
  func newName(
    of named: Record.File, in record: Record, _ contents: FileContents
  ) throws(StorageError) -> FilePath? {
    if isOwnName(named), try contents.exists(path(of: named.file.name)) { return nil }
    var name = try ownName(holding: named, of: record, contents)
    if name == nil { name = try changedName(of: named, in: record, contents.fileSystem) }
    return name == named.file.name ? nil : name
  }

  /// The recorded name of a file with this photo's name in the place of the former one; `nil` where the record
  /// has a name that Safelight does not give.
  func newName(of named: Record.File, of record: Record) -> FilePath? {
    let suffix = named.role.suffix
    let own = candidates(suffix)
    guard let former = record.original?.name,
      let place = Self.candidates(suffix, of: former).firstIndex(of: named.file.name)
    else { return nil }
    return own[min(place, own.count - 1)]
  }

  /// This photo's names for a file of its edit, the one that is like the recorded name first.
  private func candidates(like named: Record.File, of record: Record) -> [FilePath] {
    let own = candidates(named.role.suffix)
    guard let first = newName(of: named, of: record) else { return own }
    return [first] + own.filter { $0 != first }
  }

  /// Whether files of this photo and of another one may want the same names, as with `beach.jpg` and `beach.png`.
  func mayShareNames(with photo: FilePath) -> Bool {
    let own = [original, original.stem ?? original]
    return own.contains(photo) || own.contains(photo.stem ?? photo)
  }

  /// The files that the records of other photos name, or have under their photos' new names, where files of this photo
  /// might get the same names.
  ///
  /// - Parameter own: The record of this photo. A photo that was copied with it shares files with this one.
  func filesOfTwins(
    besides own: Record? = nil, _ fileSystem: FileSystem
  ) throws(StorageError) -> Set<FilePath> {
    let names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    var files: Set<FilePath> = []
    for record in names {
      guard let photo = record.originalOfRecord, photo != original, mayShareNames(with: photo),
        let loaded = try? LoadedRecord.load(path(of: record), fileSystem),
        let twin = try? loaded.record()
      else { continue }
      // What a sync made of a conflict is this photo's own record.
      if twin.original?.name == original, try !exists(path(of: photo), fileSystem) { continue }
      let isCopy = own != nil && twin.original?.name == own?.original?.name
      let twinNames = PhotoNames(path(of: photo))
      for file in twin.namedFiles {
        files.insert(file.file.name)
        if !isCopy, let name = twinNames.newName(of: file, of: twin) { files.insert(name) }
      }
    }
    return files
  }

  private func exists(_ path: FilePath, _ fileSystem: FileSystem) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in try fileSystem.exists(path) }
  }

  /// Whether the record of another photo, whose files may have the same names, names a file.
  ///
  /// - Parameter own: The record of this photo.
  func isFileOfTwin(
    _ name: FilePath, besides own: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    try filesOfTwins(besides: own, fileSystem).contains(name)
  }
}

extension LoadedRecord {
  /// The record with the names that its files have now; `nil` when these are the recorded ones.
  ///
  /// Digest and status stay those of the sidecar on the disk.
  func followingFiles(
    of record: Record, around names: PhotoNames, _ contents: FileContents
  ) throws(StorageError) -> LoadedRecord? {
    var newNames: [FilePath: FilePath] = [:]
    for named in record.files {
      newNames[named.file.name] = try names.newName(of: named, in: record, contents)
    }
    guard !newNames.isEmpty, let original = record.original else { return nil }
    return LoadedRecord(
      path: path, bytes: try renamed(for: original.name, newNames), digest: digest, status: status)
  }
}

extension FileSystem {
  /// The length in bytes of an ordinary file; `nil` for anything else.
  fileprivate func sizeOfPlainFile(at path: FilePath) throws(StorageError) -> Int64? {
    try onDisk { () throws(FileSystemError) in try sizeOfFile(at: path) }
  }
}

/// What one record knows of pictures that Safelight rendered and that it does not name.
package struct RecordedContents: Sendable {
  /// What a file is to a record.
  package enum Standing: Sendable, Hashable {
    /// It is a file of the photo, under its recorded name or one that it got with the photo, whatever
    /// somebody did to it since.
    case member
    /// It is the render of an edit that the record tells of, under a name of the photo's renders, or under one
    /// that the photo's former name gave it.
    case earlier
    /// It is the render of an edit of the photo that the record does not know, under a name of the photo's
    /// renders.
    case newer
    /// The photo has, or had, a render or base of this content, under another name.
    case copy
    /// The record does not know it.
    case unknown
  }

  /// The original that the record belongs to.
  package let photo: FilePath
  private let names: PhotoNames
  private let record: Record
  /// The contents that the photo's earlier edits and undone ones had.
  private let earlier: Set<Digest>
  private let fileSystem: FileSystem

  /// Reads a sidecar or a pending record; `nil` when it cannot be read, or tells of no photo.
  package init?(recordAt path: FilePath, _ fileSystem: FileSystem) {
    guard let loaded = try? LoadedRecord.load(path, fileSystem),
      case .commit(let record)? = try? loaded.change(), let name = record.original?.name
    else { return nil }
    let pending = path.originalOfRecord == nil
    let renamed = pending ? try? LostRecord.photo(ofPendingRecordAt: path, fileSystem) : nil
    photo =
      path.originalOfRecord ?? renamed ?? path.removingLastComponent().appending(name)
    names = PhotoNames(photo)
    self.record = record
    self.fileSystem = fileSystem
    let past = record.history + record.redo
    let contents =
      past.flatMap { [$0.render?.file, $0.base] } + record.versions.map(\.base)
    earlier = Set(contents.compactMap { $0?.sha256 }).union(record.ownRenders)
  }

  /// What a picture in the record's folder is to the record.
  ///
  /// - Parameters:
  ///   - name: The picture's name.
  ///   - digest: The SHA-256 of its bytes.
  ///   - reference: What it says of its original; `nil` for a picture that names none.
  package func standing(
    of name: FilePath, holding digest: Digest, rendered reference: OriginalReference?
  ) throws(StorageError) -> Standing {
    let files = record.namedFiles
    let same = files.filter { $0.file.sha256 == digest }
    if same.contains(where: { $0.file.name == name }) { return .member }
    let own = files.filter { names.candidates($0.role.suffix).contains(name) }
    for named in own {
      let isSame = named.file.sha256 == digest
      if isSame, try !isPresent(named) { return .member }
      if try names.changedName(of: named, in: record, fileSystem) == name { return .member }
    }
    let isOwnName = names.candidates(FileRole.render.suffix).contains(name) || !own.isEmpty
    if record.ownRenders.contains(digest), try exists(photo) {
      if isOwnName { return .earlier }
      if let reference, try isLeftBehind(name, by: FilePath(reference.fileName)) { return .earlier }
    }
    if !same.isEmpty || earlier.contains(digest) { return .copy }
    return isOwnName && reference.map(record.isUnaware) == true ? .newer : .unknown
  }

  private func isPresent(_ named: Record.File) throws(StorageError) -> Bool {
    try names.isOwnName(named) ? exists(names.path(of: named.file.name)) : false
  }

  /// Whether a render has a name that the photo's former name gave it, and no photo has that name now.
  private func isLeftBehind(
    _ name: FilePath, by former: FilePath
  ) throws(StorageError) -> Bool {
    guard former == former.lastComponent, former != names.original,
      PhotoNames.candidates(FileRole.render.suffix, of: former).contains(name)
    else { return false }
    let path = names.path(of: former)
    if try exists(path) { return false }
    return try !exists(path.recordPath)
  }

  private func exists(_ path: FilePath) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in try fileSystem.exists(path) }
  }
}
