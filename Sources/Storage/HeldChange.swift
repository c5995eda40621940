import SafelightFiles

// A held change that another place decides, such as a library's catalog: its files are complete and
// flushed under hidden names, and only renames are missing.

/// What a held change makes of a photo's edit.
package struct HeldOutcome: Sendable {
  /// The SHA-256 of the hidden record that decides the change.
  package let digest: Digest
  /// The record that will stand; `nil` when the photo will have no sidecar.
  package let record: Record?
  /// The sidecar's modification time in nanoseconds since 1970; `nil` without a sidecar.
  package let modified: Int64?
}

extension Transaction {
  /// What the held change will make of the photo's edit; `nil` when no change is held.
  package func heldOutcome() throws(StorageError) -> HeldOutcome? {
    guard let held else { return nil }
    let role: FileRole
    switch held.change {
    case .commit: role = .record
    case .revert(let revert) where revert.restores != nil: role = .sidecar
    case .revert: return HeldOutcome(digest: held.digest, record: nil, modified: nil)
    }
    let path = stagedPath(role)
    // The renames to come keep the file's modification time.
    guard let file = try LoadedRecord.load(path, fileSystem) else {
      throw .recordChanged(path)
    }
    let time = file.status.modified
    return HeldOutcome(
      digest: held.digest, record: try file.record(),
      modified: Int64(time.seconds) * 1_000_000_000 + Int64(time.nanoseconds))
  }

  /// Makes the held change after another place decided it. On failure the staged files stay, for
  /// ``PhotoFiles/makeHeldChange(writtenAs:timeout:)``.
  ///
  /// - Throws: ``StorageError`` when the change is not made.
  package func makeDecidedChange() throws(StorageError) {
    guard let held = takeHeld() else { return }
    let staged = made
    handOverStaged()
    try original.checkUnchanged()
    try checkSidecar()
    try names.makePending(stagedPath(.record), fileSystem)
    try Recovery(names, contents).finish(held.change, writtenAs: held.digest, staged: staged)
  }
}

extension PhotoFiles {
  /// Makes a change that a transaction held, that another place decided, and that its process did not
  /// make. When the photo or its sidecar has changed since, the change is dropped.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the hidden record that decides the change.
  ///   - timeout: How long to wait for others. Blocks the thread.
  /// - Throws: ``StorageError`` when the change can neither be made nor dropped.
  package func makeHeldChange(writtenAs digest: Digest, timeout: Duration) throws(StorageError) {
    let original = try OriginalFile.open(
      original, exclusively: true, timeout: timeout, fileSystem)
    defer { original.unlock(leavingStagedFiles: original.isClaimLeftOver) }
    let fileSystem = original.fileSystem
    let names = PhotoNames(original.path)
    let recovery = Recovery(names, FileContents(around: original, fileSystem))
    try recovery.finishPendingChange()
    guard let staged = try names.findStagedRecord(writtenAs: digest, fileSystem) else { return }
    let change = try staged.change()
    let sidecar = try LoadedRecord.load(names.record, fileSystem)?.digest
    let isPossible: Bool
    switch change {
    case .commit(let record):
      let content = try original.digest()
      isPossible = sidecar == record.replacesRecord && record.original?.sha256 == content
    case .revert(let revert): isPossible = sidecar == revert.record
    }
    guard isPossible else {
      try recovery.removeStrays()
      return
    }
    try names.makePending(staged.path, fileSystem)
    try recovery.finish(change, writtenAs: digest, staged: names.presentStaged(fileSystem))
  }
}

extension PhotoNames {
  /// The record of a change that was held, among the files that are staged; `nil` when it is gone.
  fileprivate func findStagedRecord(
    writtenAs digest: Digest, _ fileSystem: FileSystem
  ) throws(StorageError) -> LoadedRecord? {
    for path in try presentStaged(fileSystem) where path.stagedKind?.kind == .record {
      if let loaded = try LoadedRecord.load(path, fileSystem), loaded.digest == digest {
        return loaded
      }
    }
    return nil
  }

  /// Decides a change whose record is staged.
  fileprivate func makePending(
    _ staged: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) {
    let isPending = try onDisk { () throws(FileSystemError) in
      guard try fileSystem.renameWithoutReplacing(staged, to: pending) else { return false }
      try fileSystem.syncFolder(folder)
      return true
    }
    if !isPending { throw .recordChanged(pending) }
  }
}
