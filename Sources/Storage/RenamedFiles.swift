import SafelightFiles

// Files of an edit that were renamed together with their photo. The record still has their former names. A
// file with the recorded content under a name that Safelight gives to this photo's files is the one that the
// record means.

extension PhotoNames {
  /// The name of this photo under which a file of its edit is.
  ///
  /// - Returns: `nil` when no file under these names has the recorded content.
  func ownName(
    holding named: Record.File, _ contents: FileContents
  ) throws(StorageError) -> FilePath? {
    for name in candidates(named.role.suffix) {
      let path = path(of: name)
      guard try contents.sizeOfFile(at: path) == named.file.size,
        try contents.content(of: path) == .file(named.file.sha256)
      else { continue }
      // Two photos with one stem may start from copies of the same pixels. Renders have no twins: they name
      // their original.
      if named.role == .base, try contents.filesOfTwins(of: self).contains(name) { continue }
      return name
    }
    return nil
  }

  /// The name of this photo that a file of its edit got when photo and file were renamed together.
  ///
  /// A file that is under its recorded name is not read, as long as this photo's files may have that name.
  /// - Returns: `nil` when the file has its recorded name, or is nowhere.
  func newName(
    of named: Record.File, _ contents: FileContents
  ) throws(StorageError) -> FilePath? {
    if isOwnName(named), try contents.exists(path(of: named.file.name)) { return nil }
    let name = try ownName(holding: named, contents)
    return name == named.file.name ? nil : name
  }

  /// Whether files of this photo and of another one may want the same names, as with `beach.jpg` and `beach.png`.
  func mayShareNames(with photo: FilePath) -> Bool {
    let own = [original, original.stem ?? original]
    return own.contains(photo) || own.contains(photo.stem ?? photo)
  }

  /// The files that the records of other photos name, where files of this photo might get the same names.
  func filesOfTwins(_ fileSystem: FileSystem) throws(StorageError) -> Set<FilePath> {
    let names = try onDisk { () throws(FileSystemError) in try fileSystem.names(in: folder) }
    var files: Set<FilePath> = []
    for record in names {
      guard let photo = record.originalOfRecord, photo != original, mayShareNames(with: photo),
        let loaded = try? LoadedRecord.load(path(of: record), fileSystem)
      else { continue }
      files.formUnion((try? loaded.record())?.namedFiles.map(\.file.name) ?? [])
    }
    return files
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
      newNames[named.file.name] = try names.newName(of: named, contents)
    }
    guard !newNames.isEmpty, let original = record.original else { return nil }
    return LoadedRecord(
      path: path, bytes: try renamed(for: original.name, newNames), digest: digest, status: status)
  }
}

extension FileContents {
  /// The length in bytes of an ordinary file; `nil` for anything else.
  fileprivate func sizeOfFile(at path: FilePath) throws(StorageError) -> Int64? {
    try onDisk { () throws(FileSystemError) in try fileSystem.sizeOfFile(at: path) }
  }
}

/// What one record knows of files by their content.
package struct RecordedContents: Sendable {
  /// What a file is to a record.
  package enum Standing: Sendable, Hashable {
    /// It is a file of the photo, under its recorded name or one that it got with the photo.
    case member
    /// The photo has, or had, a render or base of this content, under another name.
    case copy
    /// The record does not know it.
    case unknown
  }

  /// The original that the record belongs to.
  package let photo: FilePath
  private let names: PhotoNames
  private let files: [Record.File]
  /// The contents that the photo's earlier edits and undone ones had.
  private let earlier: Set<Digest>

  /// Reads a sidecar or a pending record; `nil` when it cannot be read, or tells of no photo.
  package init?(recordAt path: FilePath, _ fileSystem: FileSystem) {
    guard let loaded = try? LoadedRecord.load(path, fileSystem),
      case .commit(let record)? = try? loaded.change(), let name = record.original?.name
    else { return nil }
    photo = path.originalOfRecord ?? path.removingLastComponent().appending(name)
    names = PhotoNames(photo)
    files = record.namedFiles
    let past = record.history + record.redo
    let contents =
      past.flatMap { [$0.render?.file, $0.base] } + record.versions.map(\.base)
    earlier = Set(contents.compactMap { $0?.sha256 })
  }

  /// What a file in the record's folder is to the record.
  package func standing(of name: FilePath, holding digest: Digest) -> Standing {
    let same = files.filter { $0.file.sha256 == digest }
    if same.contains(where: { file in
      file.file.name == name || names.candidates(file.role.suffix).contains(name)
    }) {
      return .member
    }
    return !same.isEmpty || earlier.contains(digest) ? .copy : .unknown
  }
}
