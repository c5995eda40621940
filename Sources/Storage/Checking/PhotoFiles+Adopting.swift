extension PhotoFiles {
  /// What an adoption would do, without doing it; see ``Transaction/adoptEdit(of:)``.
  ///
  /// - Parameters:
  ///   - former: Where the photo was; `nil` when record and photo were renamed together.
  ///   - timeout: How long to wait for others. Blocks the thread.
  package func previewAdoption(
    of former: FilePath?, timeout: Duration
  ) throws(StorageError) -> Adoption {
    let snapshot = try read(timeout: timeout)
    let fileSystem = snapshot.contents.fileSystem
    guard let former else {
      guard let record = snapshot.record, record.original?.name != snapshot.original.name else {
        return Adoption(outcome: .nothingToMove)
      }
      try snapshot.checkIsOriginal(of: record, at: snapshot.names.record)
      return try snapshot.moves(of: record, from: snapshot.names).adoption
    }
    let source = try onDisk { () throws(FileSystemError) in
      try PhotoNames(resolving: former, fileSystem)
    }
    guard let lost = try LoadedRecord.load(around: source, fileSystem),
      case .commit(let record) = try lost.change()
    else { return Adoption(outcome: .nothingToMove) }
    try snapshot.checkIsOriginal(of: record, at: lost.path)
    if snapshot.record != nil, try !snapshot.hasSameEdit(as: lost) {
      return Adoption(outcome: .hasAnEdit)
    }
    // Its files are not in place before the move begins, so all that is known is that it can.
    if lost.path == source.pending { return Adoption(outcome: .moved) }
    return try snapshot.moves(of: record, from: source, alreadyAs: snapshot.record).adoption
  }

  /// Whether this photo could take over the edit left behind at `former`: it has none, or it has
  /// that one because a move was interrupted.
  ///
  /// Looks without waiting for others, so it may be otherwise a moment later.
  /// - Throws: ``StorageError`` when one of the records cannot be read.
  package func isFree(
    forEditOf former: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> Bool {
    let (own, source) = try onDisk { () throws(FileSystemError) in
      (
        try PhotoNames(resolving: original, fileSystem),
        try PhotoNames(resolving: former, fileSystem)
      )
    }
    guard let present = try LoadedRecord.load(around: own, fileSystem) else { return true }
    guard let lost = try LoadedRecord.load(around: source, fileSystem) else { return false }
    return try present.hasSameEdit(as: lost)
  }
}

extension PhotoSnapshot {
  /// Throws when a record is not about the content of this original.
  func checkIsOriginal(of record: Record, at path: FilePath) throws(StorageError) {
    guard let recorded = record.original else { throw .foreignSidecar(path) }
    guard recorded.size == original.status.size, try original.digest() == recorded.sha256 else {
      throw .recordBelongsToAnotherPhoto(record: path, recorded: recorded.name)
    }
  }

  /// Whether the sidecar says what another record says, but for names of files.
  func hasSameEdit(as other: LoadedRecord) throws(StorageError) -> Bool {
    try sidecar?.hasSameEdit(as: other) ?? false
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
  init(resolving photo: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    let folder = photo.removingLastComponent()
    let name = photo.lastComponent ?? photo
    self.init(try fileSystem.resolve(folder.isEmpty ? "." : folder).appending(name))
  }
}
