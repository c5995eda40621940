import SafelightFiles

// Which photo a record is about, and whether two records are of one edit.

extension PhotoFiles {
  /// Whether this photo could take over the edit left behind at `former`: it has no edit, or has
  /// this edit already from a move that was interrupted, or the edit before a change that was interrupted.
  ///
  /// Looks without waiting for others, so the answer may change a moment later.
  /// - Throws: ``StorageError`` when one of the records cannot be read.
  package func isFree(
    forEditOf former: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let own = try PhotoNames(resolving: original, fileSystem)
    guard let present = try LoadedRecord.load(around: own, fileSystem) else { return true }
    let source = try PhotoNames(resolving: former, fileSystem)
    guard let lost = try LoadedRecord.load(around: source, fileSystem) else { return false }
    // A change that was interrupted goes on from the edit that went with the photo.
    if lost.path != source.record, lost.follows(present) { return true }
    return try present.hasSameEdit(as: lost)
  }
}

extension Record {
  /// Whether a file is the photo that the record is about, turned or with other metadata perhaps. What
  /// cannot be read counts as that photo.
  func isOfPhoto(at path: FilePath, _ fileSystem: FileSystem) throws(StorageError) -> Bool {
    guard try onDisk({ () throws(FileSystemError) in try fileSystem.exists(path) }) else {
      return false
    }
    guard let original, let present = try? OriginalFile.openUnlocked(path, fileSystem),
      let likeness = try? present.likeness(to: original, picture: picture)
    else { return true }
    return likeness != .different
  }
}

extension PhotoSnapshot {
  /// Throws when a record is not about the content of this original.
  func checkIsOriginal(of record: Record, at path: FilePath) throws(StorageError) {
    guard let recorded = record.original else { throw .foreignSidecar(path) }
    guard try original.likeness(to: recorded, picture: record.picture) != .different else {
      throw .recordBelongsToAnotherPhoto(record: path, recorded: recorded.name)
    }
  }
}

extension LoadedRecord {
  /// Whether two records are the same but for names of files.
  func hasSameEdit(as other: LoadedRecord) throws(StorageError) -> Bool {
    guard case .commit(let one) = try change(), case .commit(let two) = try other.change(),
      let name = one.original?.name, two.original != nil,
      one.files.map(\.role) == two.files.map(\.role)
    else { return false }
    let names = Dictionary(
      zip(two.files, one.files).map { ($0.file.name, $1.file.name) },
      uniquingKeysWith: { first, _ in first })
    return try renamed(for: name, [:]) == other.renamed(for: name, names)
  }
}

extension PhotoNames {
  /// The names around a photo that need not be there, the links to its folder followed.
  init(resolving photo: FilePath, _ fileSystem: FileSystem) throws(StorageError) {
    let folder = photo.removingLastComponent()
    let name = photo.lastComponent ?? photo
    let resolved = try onDisk { () throws(FileSystemError) in
      try fileSystem.resolve(folder.isEmpty ? "." : folder)
    }
    self.init(resolved.appending(name))
  }
}
