import Glibc
import SafelightFiles

/// Finishes a change that was decided: right after the decision, or after a crash.
///
/// Every operation may have been done before a crash. A file is replaced or removed only when it
/// has the content that the old edit or the new one gave it.
struct Recovery {
  private let names: PhotoNames
  private let contents: FileContents
  private var fileSystem: FileSystem { contents.fileSystem }
  /// Whether a change is finished even when a staged file is lost, so that the photo can be edited
  /// again. The record then names a file that is missing or has changed.
  private let isTidying: Bool
  /// Whether the photo has another name or folder by now, and files that were in place perhaps too.
  private let isMoved: Bool

  init(
    _ names: PhotoNames, _ contents: FileContents, isTidying: Bool = false, isMoved: Bool = false
  ) {
    self.isTidying = isTidying
    self.isMoved = isMoved
    self.names = names
    self.contents = contents
  }

  /// Finishes what the pending record says, if there is one.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func finishPendingChange() throws(StorageError) -> Bool {
    guard let pending = try names.pendingRecord(fileSystem) else { return false }
    guard contents.mayDecide(pending.status) else {
      // The original's owner and the superuser need not wait for a stranger.
      guard isTidying, contents.mayGiveUp else { throw .changeOfAnotherUser(names.pending) }
      try giveUpPendingChange()
      return true
    }
    let staged = try names.presentStaged(fileSystem)
    do throws(StorageError) {
      try finish(try names.change(of: pending, contents), writtenAs: pending.digest, staged: staged)
    } catch {
      // A sidecar that was put back from elsewhere, such as a backup, is not the one that the change
      // was to replace. It stands.
      guard isTidying, case .recordChanged = error else { throw error }
      try giveUpPendingChange()
    }
    return true
  }

  /// Removes the pending record, so that the record before it stands.
  private func giveUpPendingChange() throws(StorageError) {
    try remove(names.pending)
    try syncFolder()
  }

  /// Removes what changes that were never decided left behind.
  ///
  /// - Parameter withClaim: Whether a claim that was left goes too; not when this process has it.
  /// - Returns: Whether all are gone. Files of another user may have to stay; no change meets them.
  @discardableResult
  func removeStrays(withClaim: Bool = false) throws(StorageError) -> Bool {
    // What is staged beside a decided change belongs to it.
    if try contents.exists(names.pending) { return true }
    let areGone = try remove(names.presentStaged(fileSystem))
    // Those of others do not matter to the next change.
    try remove(names.renderClaims(fileSystem))
    guard withClaim, areGone else { return areGone }
    try onDisk { () throws(FileSystemError) in
      if try Claim.state(names, fileSystem) == .leftOver { try fileSystem.unlink(names.claim) }
    }
    return true
  }

  /// Decides a change that another place decided already, and finishes it.
  ///
  /// - Parameters:
  ///   - path: The hidden record.
  ///   - staged: The hidden files among which those of the change are; `nil` finds them.
  func make(
    _ written: WrittenChange, recordAt path: FilePath, staged: [FilePath]? = nil
  ) throws(StorageError) {
    try names.makePending(path, fileSystem)
    try syncFolder()
    let staged = if let staged { staged } else { try names.presentStaged(fileSystem) }
    try finish(written.change, writtenAs: written.digest, staged: staged)
  }

  /// Finishes a change whose pending record has the digest `pending`.
  ///
  /// - Parameter staged: The hidden files among which those of the change are.
  func finish(
    _ change: PendingChange, writtenAs pending: Digest, staged: [FilePath]
  ) throws(StorageError) {
    switch change {
    case .commit(let record): try finish(record, writtenAs: pending, staged)
    case .revert(let revert): try finish(revert, staged)
    }
  }

  private func finish(
    _ record: Record, writtenAs pending: Digest, _ staged: [FilePath]
  ) throws(StorageError) {
    let old = try oldRecord(ifItIs: record.replacesRecord, orTheNew: pending)
    for file in record.files {
      guard let kind = record.stagedKind(of: file.role) else { continue }
      guard names.isOwnName(file) else {
        if try names.isAtFormerName(file, contents) { continue }
        throw .nameTaken([names.path(of: file.file.name)])
      }
      var replaceable = (old?.files ?? []).filter { $0.role == file.role }.map(\.file.sha256)
      if file.role == .render, let replaces = record.replaces { replaceable.append(replaces) }
      if file.role.isRendered { replaceable += record.ownRenders }
      let target = names.path(of: file.file.name)
      let waiting = staged.filter { $0.stagedKind == kind }
      // Older records do not tell whether the file came with them.
      if record.staging == nil, waiting.isEmpty { continue }
      if !waiting.isEmpty { try putAside(file, of: record, unless: replaceable) }
      let isPlaced = try place(
        kind, among: waiting, at: target, file.file.sha256, replacing: replaceable)
      if !isPlaced { throw file.role.changed(target) }
    }
    if let old {
      // The old sidecar says which files go. It goes last.
      let kept = Set(record.namedFiles.map(\.file.name))
      var files = try names.files(of: old, goingWith: record, contents)
      for named in old.files {
        // It was renamed with the photo, unless a file of the new record has the same content.
        guard let name = try names.newName(of: named, in: old, contents) else { continue }
        let file = RecordedFile(name: name, size: named.file.size, sha256: named.file.sha256)
        files.append(Record.File(role: named.role, file: file))
      }
      for file in files
      where !kept.contains(file.file.name) {
        try removeIfUnchanged(file.file, or: file.role.isRendered ? old.ownRenders : [])
      }
      if let left = try contents.unsyncedRender(of: record, around: names), !left.isNewer,
        let name = left.path.lastComponent
      {
        try removeIfUnchanged(RecordedFile(name: name, size: 0, sha256: left.digest))
      }
    }
    // The new names must be on the disk before the pending record is renamed. That rename need not
    // be on the disk: after a power cut the change is finished once more.
    try syncFolder()
    try contents.requireReplaceable(names.record)
    try onDisk { () throws(FileSystemError) in
      try fileSystem.rename(names.pending, to: names.record)
    }
  }

  private func finish(
    _ revert: PendingRevert, _ staged: [FilePath]
  ) throws(StorageError) {
    // The sidecar that comes back is staged until the last rename. When it is not staged any more,
    // the present sidecar stays, whoever wrote it.
    let waiting = staged.filter { $0.stagedKind?.kind == .sidecar }
    let present = try contents.content(of: names.record)
    let isRestored = revert.restores.map { present == .file($0) } ?? true
    if isRestored || !waiting.isEmpty {
      _ = try oldRecord(ifItIs: revert.record, orTheNew: revert.restores)
      for file in revert.files where names.isOwnName(file) { try removeIfUnchanged(file.file) }
      if let restored = revert.restores {
        let isPlaced = try place(
          HiddenFile.StagedKind(.sidecar), among: waiting, at: names.record, restored,
          replacing: [revert.record])
        if !isPlaced { throw .recordChanged(names.record) }
      } else {
        try contents.requireReplaceable(names.record)
        try remove(names.record)
      }
    }
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

  /// Moves a staged file of this digest to its name.
  ///
  /// - Returns: `false` when another program's file has the name.
  /// - Throws: ``StorageError/stagedFileLost(_:)`` when there is nothing to move, and the name does
  ///   not have the file yet.
  private func place(
    _ kind: HiddenFile.StagedKind, among staged: [FilePath], at target: FilePath,
    _ digest: Digest, replacing: [Digest]
  ) throws(StorageError) -> Bool {
    let present = try contents.content(of: target)
    if present == .file(digest) {
      // An interrupted change left two names of one file, or the file that was replaced.
      for path in staged where try contents.isOwn(path) { try remove(path) }
      return true
    }
    guard let staged = try contents.path(of: kind, holding: digest, among: staged) else {
      if isTidying || isMoved { return true }
      throw .stagedFileLost(target)
    }
    switch present {
    case .missing:
      return try onDisk { () throws(FileSystemError) in
        try fileSystem.renameWithoutReplacing(staged, to: target)
      }
    case .file(let present) where replacing.contains(present):
      try contents.requireReplaceable(target)
      return try exchange(staged, with: target, ifItIs: present)
    case .file, .somethingElse:
      return false
    }
  }

  /// Puts a staged file in the place of another, and removes that one.
  ///
  /// - Returns: `false` when somebody saved the other file in this moment; then it has its name
  ///   again.
  private func exchange(
    _ staged: FilePath, with target: FilePath, ifItIs digest: Digest
  ) throws(StorageError) -> Bool {
    let isExchanged = try onDisk { () throws(FileSystemError) in
      try fileSystem.exchange(staged, with: target)
    }
    guard isExchanged else {
      try onDisk { () throws(FileSystemError) in try fileSystem.rename(staged, to: target) }
      return true
    }
    guard try contents.content(of: staged, knownAs: target) == .file(digest) else {
      try onDisk { () throws(FileSystemError) in
        _ = try fileSystem.exchange(staged, with: target)
      }
      return false
    }
    try remove(staged)
    return true
  }

  /// Removes a file that holds what it should.
  ///
  /// - Parameter others: What else it may hold.
  private func removeIfUnchanged(
    _ file: RecordedFile, or others: Set<Digest> = []
  ) throws(StorageError) {
    let path = names.path(of: file.name)
    guard case .file(let digest) = try contents.content(of: path),
      digest == file.sha256 || others.contains(digest)
    else { return }
    try contents.requireReplaceable(path)
    // The file is looked at once more: hashing it took its time.
    if try contents.content(of: path) == .file(digest) { try remove(path) }
  }

  /// Puts a render whose edit the record does not know into the trash, where a new one is to go.
  private func putAside(
    _ file: Record.File, of record: Record, unless replaceable: [Digest]
  ) throws(StorageError) {
    let path = names.path(of: file.file.name)
    guard case .file(let digest) = try contents.content(of: path), digest != file.file.sha256,
      !replaceable.contains(digest),
      contents.unsyncedRender(file, at: path, of: record)?.isNewer == true
    else { return }
    try contents.requireReplaceable(path)
    try FolderTrash(names.folder, fileSystem).put([file.file.name], named: names.original)
  }

  /// Removes files, but those of another user that this one may not remove.
  ///
  /// - Returns: Whether all are gone.
  @discardableResult
  private func remove(_ paths: [FilePath]) throws(StorageError) -> Bool {
    var areGone = true
    for path in paths {
      do {
        try remove(path)
      } catch {
        guard case .fileSystem(let reason) = error, [EACCES, EPERM].contains(reason.errno) else {
          throw error
        }
        areGone = false
      }
    }
    return areGone
  }

  private func remove(_ path: FilePath) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try fileSystem.unlink(path) }
  }

  private func syncFolder() throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
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
    try recovery.make(WrittenChange(change: change, digest: digest), recordAt: staged.path)
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
}

extension PhotoNames {
  /// The claims on names of renders that a process left when it died. None while a change of another
  /// photo in the folder is to be finished: its render may be the one that gets the name.
  func renderClaims(_ fileSystem: FileSystem) throws(StorageError) -> [FilePath] {
    try onDisk { () throws(FileSystemError) in
      var claims: [FilePath] = []
      for names in aroundRenders where try Claim.state(names, fileSystem) == .leftOver {
        claims.append(names.claim)
      }
      if claims.isEmpty { return [] }
      let isDoubtful = try fileSystem.names(in: folder).compactMap(HiddenFile.init)
        .contains { $0.kind == .pending && $0.name != pending.lastComponent }
      return isDoubtful ? [] : claims
    }
  }

  /// Whether a file has a name that Safelight gives to such a file of this original. No other file is
  /// ever replaced or removed, whatever a record says.
  func isOwnName(_ file: Record.File) -> Bool {
    candidates(file.role.suffix).contains(file.file.name)
  }

  /// The files that `record` names and that are this photo's own to replace or remove.
  func ownFiles(
    of record: Record, _ contents: FileContents
  ) throws(StorageError) -> [Record.File] {
    try unsharedFiles(of: record, contents).filter(isOwnName)
  }

  /// The same for a photo that is gone, by the names that the records have.
  func ownFiles(
    of record: Record, _ fileSystem: FileSystem
  ) throws(StorageError) -> [Record.File] {
    guard let name = record.original?.name, name != original,
      let loaded = try LoadedRecord.load(PhotoNames(folder.appending(name)).record, fileSystem)
    else { return record.files.filter(isOwnName) }
    guard let other = try? loaded.record() else { return [] }
    let others = Set(other.files.map(\.file.name))
    return record.files.filter { isOwnName($0) && !others.contains($0.file.name) }
  }

  /// The files that `record` names and no other record does.
  ///
  /// A photo copied under another name with its sidecar shares the files of the photo it was copied
  /// from, as far as that one's record still names them.
  func unsharedFiles(
    of record: Record, _ contents: FileContents
  ) throws(StorageError) -> [Record.File] {
    guard let name = record.original?.name, name != original else { return record.files }
    let sibling = PhotoNames(folder.appending(name))
    guard let loaded = try LoadedRecord.load(sibling.record, contents.fileSystem) else {
      return record.files
    }
    guard var other = try? loaded.record() else { return [] }
    // Photos that exchanged their names do not share files, whatever names their records still have.
    if let followed = try loaded.followingFiles(of: other, around: sibling, contents) {
      other = try followed.record()
    }
    let others = Set(other.files.map(\.file.name))
    return record.files.filter { !others.contains($0.file.name) }
  }

  /// The files of an old record that go when `record` takes its place.
  ///
  /// When the change gives an edit the new name of its photo, the files with the photo's former name
  /// go too, unless a photo or a sidecar has that name.
  func files(
    of old: Record, goingWith record: Record, _ contents: FileContents
  ) throws(StorageError) -> [Record.File] {
    let fileSystem = contents.fileSystem
    let own = try ownFiles(of: old, contents)
    guard let former = old.original?.name, former != original, record.original?.name == original,
      record.adjustmentData == old.adjustmentData
    else { return own }
    let source = PhotoNames(folder.appending(former))
    let isTaken = try onDisk { () throws(FileSystemError) in
      let isPhotoThere = try fileSystem.exists(folder.appending(former))
      return try fileSystem.exists(source.record) || isPhotoThere
    }
    return own + (isTaken ? [] : old.files.filter { source.isOwnName($0) && !isOwnName($0) })
  }
}
