import Glibc

extension Transaction {
  /// Drops the edit: the sidecar, the render and the base go, the original stays as it always was.
  ///
  /// Works when the original has changed since. A photo that is not edited stays so, with success.
  /// - Parameter keepingRender: Whether the render stays, as a file of its own. Needed when
  ///   somebody retouched it. A base that somebody changed then stays too.
  /// - Returns: What stands now. Look at ``ChangeOutcome/unfinished``.
  /// - Throws: ``StorageError/renderChanged(_:)`` and ``StorageError/baseChanged(_:)`` when files
  ///   that would be lost are not as recorded; other cases of ``StorageError``. Then the edit
  ///   stands.
  public func revert(keepingRender: Bool = false) throws(StorageError) -> ChangeOutcome {
    try close()
    discardStaged()
    guard let record, let sidecar = snapshot.sidecar else {
      return ChangeOutcome(record: nil, render: nil, unfinished: nil)
    }
    var render: RecordedFile?
    var base: RecordedFile?
    if try names.ownsFiles(of: record, fileSystem) {
      if !keepingRender, let file = record.render?.file {
        let accepted = [file.sha256, record.replaces].compactMap { $0 }
        render = try removable(file, accepted, otherwise: StorageError.renderChanged)
      }
      if let file = record.base {
        do {
          base = try removable(file, [file.sha256], otherwise: StorageError.baseChanged)
        } catch {
          guard keepingRender, case .baseChanged = error else { throw error }
        }
      }
    }
    try checkSidecar()
    let revert = PendingRevert(record: sidecar.digest, render: render, base: base)
    let unfinished = try decide(.revert(revert), revert.encoded())
    return ChangeOutcome(record: nil, render: nil, unfinished: unfinished)
  }

  /// The file as it is now, if it is there and holds what it should.
  private func removable(
    _ file: RecordedFile, _ accepted: [Digest], otherwise: (FilePath) -> StorageError
  ) throws(StorageError) -> RecordedFile? {
    let path = names.path(of: file.name)
    switch try contents.content(of: path) {
    case .missing: return nil
    case .file(let digest) where accepted.contains(digest):
      return RecordedFile(name: file.name, size: file.size, sha256: digest)
    case .file, .somethingElse: throw otherwise(path)
    }
  }

  /// Throws when somebody who does not know of the lock replaced the sidecar.
  func checkSidecar() throws(StorageError) {
    let now = try onDisk { () throws(FileSystemError) in
      try fileSystem.status(of: names.record)
    }
    let isUnchanged =
      switch (now, snapshot.sidecar?.status) {
      case (nil, nil): true
      case (let now?, let then?): now.hasSameContent(as: then)
      default: false
      }
    if !isUnchanged { throw .recordChanged(names.record) }
  }

  /// Makes a change: writes it down, decides it by a rename, carries it out.
  ///
  /// - Returns: Why a change that is made could not be carried out in full; `nil` when it was.
  /// - Throws: ``StorageError`` when the change is not made.
  func decide(_ change: PendingChange, _ bytes: [UInt8]) throws(StorageError) -> StorageError? {
    guard bytes.count <= Record.maximumSize else {
      throw .recordTooLarge(names.record, size: bytes.count, limit: Record.maximumSize)
    }
    if let failure = try makePending(bytes) { return failure }
    handOverStaged()
    do {
      try Recovery(names, fileSystem, contents).finish(
        change, writtenAs: SHA256.digest(of: bytes))
      return nil
    } catch {
      return error
    }
  }

  private func makePending(_ bytes: [UInt8]) throws(StorageError) -> StorageError? {
    do {
      let file = try fileSystem.createExclusive(names.stagedRecord)
      try bytes.withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
        try fileSystem.write(UnsafeRawBufferPointer(bytes), to: file)
      }
      try fileSystem.sync(file)
      try fileSystem.rename(names.stagedRecord, to: names.pending)
    } catch {
      try? fileSystem.unlink(names.stagedRecord)
      throw .fileSystem(error)
    }
    do {
      try fileSystem.syncFolder(names.folder)
      return nil
    } catch {
      return try takeBack(.fileSystem(error))
    }
  }

  /// Takes back a decision that may not have reached the disk.
  ///
  /// - Returns: `failure`, when it could not be taken back: then the change is made.
  /// - Throws: `failure`, when it could.
  private func takeBack(_ failure: StorageError) throws(StorageError) -> StorageError {
    // Whoever looks now sees the pending record, so it counts unless it can be removed.
    do {
      try fileSystem.unlink(names.pending)
    } catch {
      handOverStaged()
      return failure
    }
    // A power cut could bring the pending record back as long as its removal is not on the disk.
    // The staged files then have to be there, so they stay for the next transaction to remove.
    do { try fileSystem.syncFolder(names.folder) } catch { handOverStaged() }
    throw failure
  }
}
