import SafelightFiles

/// Finishes a change that was decided: right after the decision, or after a crash.
///
/// Every operation may have been done before a crash. A file is replaced or removed only when it
/// has the content that the old edit or the new one gave it.
struct Recovery {
  private let names: PhotoNames
  private let contents: FileContents
  private var fileSystem: FileSystem { contents.fileSystem }

  init(_ names: PhotoNames, _ contents: FileContents) {
    self.names = names
    self.contents = contents
  }

  /// Finishes what the pending record says, if there is one.
  func finishPendingChange() throws(StorageError) {
    guard let pending = try LoadedRecord.load(names.pending, fileSystem) else { return }
    try finish(try pending.change(), writtenAs: pending.digest)
  }

  /// Removes what a change that was never decided left behind.
  func removeStrays() throws(StorageError) {
    for path in try names.presentStaged(fileSystem) { try remove(path) }
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
    for file in record.files {
      guard let staged = record.stagedPath(of: file.role, names) else { continue }
      var replaceable = (old?.files ?? []).filter { $0.role == file.role }.map(\.file.sha256)
      if file.role == .render, let replaces = record.replaces { replaceable.append(replaces) }
      let target = names.path(of: file.file.name)
      guard try place(staged, at: target, file.file.sha256, replacing: replaceable) else {
        throw file.role.changed(target)
      }
    }
    if let old {
      // The old sidecar says which files go. It goes last.
      let kept = Set(record.namedFiles.map(\.file.name))
      for file in try names.ownFiles(of: old, fileSystem) where !kept.contains(file.file.name) {
        try removeIfUnchanged(file.file)
      }
    }
    // The new names must be on the disk before the pending record is renamed. That rename need not
    // be on the disk: after a power cut the change is finished once more.
    try syncFolder()
    try onDisk { () throws(FileSystemError) in
      try fileSystem.rename(names.pending, to: names.record)
    }
  }

  private func finish(_ revert: PendingRevert) throws(StorageError) {
    // The sidecar that comes back is staged until the last rename. When it is not staged any more,
    // the present sidecar stays, whoever wrote it.
    let isStaged = try contents.exists(names.stagedSidecar)
    if isStaged || revert.restores == nil {
      _ = try oldRecord(ifItIs: revert.record, orTheNew: revert.restores)
      for file in revert.files { try removeIfUnchanged(file.file) }
      try replaceSidecar(revert)
    }
    try syncFolder()
    try remove(names.pending)
  }

  private func replaceSidecar(_ revert: PendingRevert) throws(StorageError) {
    guard let restored = revert.restores else { return try remove(names.record) }
    guard try place(names.stagedSidecar, at: names.record, restored, replacing: [revert.record])
    else { throw .recordChanged(names.record) }
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

  /// Moves a staged file of this digest to its name; `false` when another file has the name.
  private func place(
    _ staged: FilePath, at target: FilePath, _ digest: Digest, replacing: [Digest]
  ) throws(StorageError) -> Bool {
    guard try contents.exists(staged) else { return true }
    let present = try contents.content(of: target)
    return try onDisk { () throws(FileSystemError) in
      switch present {
      case .missing:
        return try fileSystem.renameWithoutReplacing(staged, to: target)
      case .file(digest):
        // Two names of one file, if a crash came between: a rename would keep both.
        try fileSystem.unlink(staged)
      case .file(let present) where replacing.contains(present):
        try fileSystem.rename(staged, to: target)
      case .file, .somethingElse:
        return false
      }
      return true
    }
  }

  private func removeIfUnchanged(_ file: RecordedFile) throws(StorageError) {
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

extension PhotoNames {
  /// The files that `record` names and that are this photo's own to replace or remove.
  ///
  /// When a photo was copied under another name with its sidecar, the files belong to the first
  /// photo as long as that photo's record names them.
  func ownFiles(
    of record: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> [Record.File] {
    guard let name = record.original?.name, name != original else { return record.files }
    let sibling = folder.appending(name.suffixed(Self.recordSuffix))
    guard let loaded = try LoadedRecord.load(sibling, fileSystem) else { return record.files }
    guard let other = try? loaded.record() else { return [] }
    let others = Set(other.files.map(\.file.name))
    return record.files.filter { !others.contains($0.file.name) }
  }
}
