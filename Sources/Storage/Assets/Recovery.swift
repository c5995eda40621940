/// Carries out a change that was decided: right after the decision, or after a crash.
///
/// Every step may find itself done already. No file is replaced or removed unless it holds what
/// the old edit or the new one put there.
struct Recovery {
  private let names: AssetNames
  private let fileSystem: FileSystem
  private let contents: FileContents

  init(_ names: AssetNames, _ fileSystem: FileSystem, _ contents: FileContents) {
    self.names = names
    self.fileSystem = fileSystem
    self.contents = contents
  }

  /// Finishes what the pending record says, if there is one.
  func finishPendingChange() throws(StorageError) {
    guard let pending = try LoadedRecord.load(names.pending, fileSystem) else { return }
    try finish(try pending.change(), writtenAs: pending.digest)
  }

  /// Removes what a change that was never decided left behind.
  func removeStrays() throws(StorageError) {
    for path in [names.stagedRecord, names.stagedRender, names.stagedBase] { try remove(path) }
  }

  /// Finishes a change whose pending record has the digest `pending`.
  func finish(_ change: PendingChange, writtenAs pending: Digest) throws(StorageError) {
    switch change {
    case .commit(let record): try finish(record, writtenAs: pending)
    case .revert(let revert): try finish(revert)
    }
  }

  private func finish(_ record: Record, writtenAs pending: Digest) throws(StorageError) {
    let old = try oldRecord(ifItIs: record.replacesRecord, orTheNew: pending)
    if let render = record.render {
      var replaceable = old?.render.map { [$0.file.sha256] } ?? []
      if let replaces = record.replaces { replaceable.append(replaces) }
      let target = names.path(of: render.file.name)
      guard try place(names.stagedRender, at: target, render.file, replacing: replaceable) else {
        throw .renderChanged(target)
      }
    }
    if let base = record.base {
      let target = names.path(of: base.name)
      let replaceable = old?.base.map { [$0.sha256] } ?? []
      guard try place(names.stagedBase, at: target, base, replacing: replaceable) else {
        throw .baseChanged(target)
      }
    }
    if let old, try names.ownsFiles(of: old, fileSystem) {
      // The old sidecar is still there to say what goes, and it goes last.
      let kept = [record.render?.file.name, record.base?.name]
      for file in [old.render?.file, old.base] where file.map({ !kept.contains($0.name) }) == true {
        try removeIfUnchanged(file)
      }
    }
    // The names must be on the disk before the pending record stops telling of them. That it
    // became the sidecar need not be: found again after a power cut, it is carried out again.
    try syncFolder()
    try onDisk { () throws(FileSystemError) in
      try fileSystem.rename(names.pending, to: names.record)
    }
  }

  private func finish(_ revert: PendingRevert) throws(StorageError) {
    _ = try oldRecord(ifItIs: revert.record)
    try removeIfUnchanged(revert.render)
    try removeIfUnchanged(revert.base)
    try remove(names.record)
    try syncFolder()
    try remove(names.pending)
  }

  /// The record in the sidecar that is to go; `nil` when there is none or it went already.
  private func oldRecord(
    ifItIs expected: Digest?, orTheNew new: Digest? = nil
  ) throws(StorageError) -> Record? {
    guard let sidecar = try LoadedRecord.load(names.record, fileSystem) else { return nil }
    // A power cut during the last renaming may leave both names, on disks without a journal.
    if sidecar.digest == new { return nil }
    guard sidecar.digest == expected else { throw .recordChanged(names.record) }
    return try sidecar.record()
  }

  /// Moves a staged file to its name; `false` when somebody else's file is there.
  private func place(
    _ staged: FilePath, at target: FilePath, _ file: RecordedFile, replacing: [Digest]
  ) throws(StorageError) -> Bool {
    guard try contents.exists(staged) else { return true }
    let present = try contents.content(of: target)
    return try onDisk { () throws(FileSystemError) in
      switch present {
      case .missing:
        return try fileSystem.renameWithoutReplacing(staged, to: target)
      case .file(file.sha256):
        // Two names of one file, if a crash came between: a rename would keep both.
        try fileSystem.unlink(staged)
      case .file(let digest) where replacing.contains(digest):
        try fileSystem.rename(staged, to: target)
      case .file, .somethingElse:
        return false
      }
      return true
    }
  }

  private func removeIfUnchanged(_ file: RecordedFile?) throws(StorageError) {
    guard let file else { return }
    let path = names.path(of: file.name)
    if try contents.content(of: path) == .file(file.sha256) { try remove(path) }
  }

  private func remove(_ path: FilePath) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try fileSystem.unlink(path) }
  }

  private func syncFolder() throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
  }
}

extension AssetNames {
  /// Whether the render and base that `record` names are this asset's own to replace or remove.
  ///
  /// A photo copied under another name with its sidecar shares them with the one it was copied
  /// from: then they are that one's.
  func ownsFiles(of record: Record, _ fileSystem: FileSystem) throws(StorageError) -> Bool {
    guard let name = record.original?.name, name != original else { return true }
    let sibling = folder.appending(name.suffixed(Self.recordSuffix))
    guard let loaded = try LoadedRecord.load(sibling, fileSystem) else { return true }
    guard let other = try? loaded.record() else { return false }
    return other.render?.file.name != record.render?.file.name
  }
}
