import SafelightFiles
import Synchronization

/// A change to one photo, during which no other process reads or changes it.
///
/// A transaction goes through the cases of ``Progress``, only forward:
///
/// - **opened**: The original is locked and the ``Claim`` on its name taken. ``Recovery`` has finished what a crash left.
///   ``snapshot`` says what the files are. New files are staged: written under hidden names and flushed
///   (StagedFiles.swift).
/// - **closed**: The one change is made ready (Changes.swift, Reverting.swift). What it starts from is checked again, and
///   its record is written under a hidden name and flushed, the folder too.
/// - **held**: A transaction that holds its change waits here. All is on the disk, and only renames are missing.
/// - **settled**: The change was dropped, or made. One rename of the record to its pending name decides: before it the
///   old edit counts, after it the new one. ``Recovery/finish(_:writtenAs:staged:)`` then moves the staged files to their
///   places, removes the old ones and renames the pending record to the sidecar. When the process dies in between, the
///   next transaction on the photo does the rest.
///
/// After an error the old edit counts, and what was staged is gone. Any thread may use a transaction, one at a time. Its
/// lock ends with ``end()``, with the last reference, and with the process.
package final class Transaction: Sendable {
  /// How far a change is.
  enum Progress: Sendable {
    /// Files may be staged.
    case opened
    /// The one change is made.
    case closed
    /// The change is written down and waits for somebody's decision.
    case held(WrittenChange)
    /// It is over: the change is made or dropped.
    case settled
  }

  /// The photo as it was when the transaction began, recovery done.
  package let snapshot: PhotoSnapshot
  /// Whether the change is held, to be made together with others or not at all.
  let isHolding: Bool
  /// The end of the hidden names of the files that this transaction stages.
  let token: String = {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }()
  let state = Mutex(State())

  struct State {
    var progress = Progress.opened
    var staged: [FileRole: StagedFile] = [:]
    /// The files that this transaction made under hidden names, and nobody else may remove.
    var made: [FilePath: FileStatus] = [:]
    /// The versions whose renders are staged, in the order of their hidden names.
    var versions: [String] = []
    /// Whether staged files stay that the next transaction is to remove.
    var leavesStagedFiles = false
    /// The claims on the names that new files get.
    var claims: [Claim] = []
  }

  init(_ snapshot: PhotoSnapshot, isHolding: Bool = false) {
    self.snapshot = snapshot
    self.isHolding = isHolding
  }

  deinit { end() }

  /// The original, open for reading.
  package var original: OriginalFile { snapshot.original }
  /// The record that the change starts from; `nil` when the photo is not edited.
  package var record: Record? { snapshot.record }

  var fileSystem: FileSystem { original.fileSystem }
  var names: PhotoNames { snapshot.names }
  var contents: FileContents { snapshot.contents }

  /// Whether a change is held for ``makeHeldChange()``; ending the transaction drops it.
  package var holdsChange: Bool { held != nil }

  private var held: WrittenChange? {
    if case .held(let change) = state.withLock(\.progress) { change } else { nil }
  }

  /// Ends the transaction: others may work on the photo, and what was staged and not committed is
  /// removed. A second call does nothing.
  package func end() {
    discardStaged()
    let claims = state.withLock { state in
      state.progress = .settled
      defer { state.claims = [] }
      return state.claims
    }
    for claim in claims where !claim.release(leavingFile: false) { leaveStagedFiles() }
    original.unlock(leavingStagedFiles: state.withLock(\.leavesStagedFiles))
  }

  func requireOpen() throws(StorageError) {
    if case .opened = state.withLock(\.progress) { return }
    throw .transactionOver(original.path)
  }

  /// Marks the beginning of the one change that a transaction makes.
  func close() throws(StorageError) {
    try requireOpen()
    state.withLock { $0.progress = .closed }
  }

  /// Makes a change, or leaves nothing of it behind.
  func orDiscarding<Result>(
    _ change: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try change()
    } catch {
      discardStaged()
      throw error
    }
  }

  /// Throws when the original or the sidecar is no longer what this transaction began with.
  ///
  /// - Parameter acceptingOriginal: Whether the original may be another picture than the recorded one.
  func checkFiles(acceptingOriginal: Bool = false) throws(StorageError) {
    if !acceptingOriginal { try snapshot.checkOriginal() }
    try original.checkUnchanged()
    try checkSidecar()
  }

  /// Throws when another program, which does not use the lock, replaced the sidecar.
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
}

/// A change whose files and record are on the disk under hidden names, flushed. One rename decides it.
struct WrittenChange: Sendable {
  let change: PendingChange
  /// The SHA-256 of the record that decides it.
  let digest: Digest
}

/// The result of a change that was made.
package struct ChangeOutcome: Sendable {
  /// The record that stands now: after a revert another program's, or `nil` when there is none.
  package let record: Record?
  /// The render's path; `nil` after a revert.
  package let render: FilePath?
  /// Why the files could not all be put into place; `nil` when everything was.
  ///
  /// The change is made nevertheless: readers see it, and the next transaction on the photo puts
  /// the files into place. Until then ``render`` may be missing or the old one.
  package let unfinished: StorageError?
}

// MARK: - From closed to settled

extension Transaction {
  /// Makes a change: writes its record, decides by a rename, finishes. A transaction that holds its
  /// change only writes the record.
  ///
  /// - Parameter bytes: The record that decides it; `nil` makes it from the change.
  /// - Returns: Why a change that is made could not be finished; `nil` when it was.
  /// - Throws: ``StorageError`` when the change is not made.
  func decide(_ change: PendingChange, as bytes: [UInt8]? = nil) throws(StorageError)
    -> StorageError?
  {
    let bytes = bytes ?? change.encoded()
    guard bytes.count <= Record.maximumSize else {
      throw .recordTooLarge(names.record, size: bytes.count, limit: Record.maximumSize)
    }
    try checkReplaceable(change)
    try writeDown(bytes)
    let written = WrittenChange(change: change, digest: SHA256.digest(of: bytes))
    guard isHolding else { return try make(written) }
    state.withLock { $0.progress = .held(written) }
    return nil
  }

  /// Makes the change that this transaction holds, which takes no more than a few renames.
  ///
  /// - Returns: Why it could not be finished although it is made; `nil` when it was.
  /// - Throws: ``StorageError`` when it is not made, for example because another program changed
  ///   the sidecar meanwhile. What was staged is gone then.
  package func makeHeldChange() throws(StorageError) -> StorageError? {
    try orDiscarding { () throws(StorageError) in
      guard let held else { throw .transactionOver(original.path) }
      try original.checkUnchanged()
      try checkSidecar()
      return try make(held)
    }
  }

  /// Makes the held change after another place decided it, such as a library's catalog. On failure the staged files
  /// stay, for ``PhotoFiles/makeHeldChange(writtenAs:timeout:)``.
  ///
  /// - Throws: ``StorageError`` when the change is not made.
  package func makeDecidedChange() throws(StorageError) {
    guard let held else { return }
    let staged = made
    handOverStaged()
    try original.checkUnchanged()
    try checkSidecar()
    try Recovery(names, contents).make(held, recordAt: stagedPath(.record), staged: staged)
  }

  /// Throws when a file that the change replaces or removes is another user's: what cannot be
  /// finished is not decided.
  private func checkReplaceable(_ change: PendingChange) throws(StorageError) {
    try contents.requireOwnersConsent()
    try contents.requireReplaceable(names.record)
    var files: [Record.File]
    switch change {
    case .commit(let record):
      files = record.files.filter { record.stagedKind(of: $0.role) != nil }
      if let old = self.record {
        files += try names.files(of: old, goingWith: record, contents)
      }
    case .revert(let revert): files = revert.files
    }
    for file in files { try contents.requireReplaceable(names.path(of: file.file.name)) }
  }

  /// Writes the record of the change under its hidden name, and flushes it.
  func writeDown(_ bytes: [UInt8]) throws(StorageError) {
    let path = stagedPath(.record)
    let sink = try stagingSink(path)
    do throws(FileSystemError) {
      try sink.write(bytes)
      try remember(path, sink.finish().sha256)
    } catch {
      discard(sink)
      throw .fileSystem(error)
    }
    // The names of the staged files must be on the disk before the pending one: a disk that keeps no
    // order could keep the decision alone.
    try onDisk { () throws(FileSystemError) in try fileSystem.syncFolder(names.folder) }
  }

  /// Decides a change and finishes it.
  private func make(_ written: WrittenChange) throws(StorageError) -> StorageError? {
    try names.makePending(stagedPath(.record), fileSystem)
    do {
      try fileSystem.syncFolder(names.folder)
    } catch {
      return try takeBack(.fileSystem(error))
    }
    do {
      try Recovery(names, contents).finish(written.change, writtenAs: written.digest, staged: made)
      handOverStaged()
      return nil
    } catch {
      if isNameTakenMeanwhile(written.change, error) {
        return try takeBack(.busy(original.path, waited: .zero, process: nil))
      }
      handOverStaged()
      return error
    }
  }

  /// Whether nothing of a change is in place yet, because another photo with the same stem, such as
  /// `beach.png` beside `beach.jpg`, took the name of its new render meanwhile.
  private func isNameTakenMeanwhile(
    _ change: PendingChange, _ error: StorageError
  ) -> Bool {
    guard case .commit(let record) = change, case .renderChanged = error,
      let render = record.render,
      record.replaces == nil, record.staging?.roles.contains(.render) == true
    else { return false }
    return (try? contents.content(of: stagedPath(.render))) == .file(render.file.sha256)
  }

  /// Takes back a decision that may not have reached the disk.
  ///
  /// - Returns: `failure`, when it could not be taken back: then the change is made.
  /// - Throws: `failure`, when it could.
  private func takeBack(_ failure: StorageError) throws(StorageError) -> StorageError {
    // Readers see the pending record now, so it counts unless it can be removed.
    do {
      try fileSystem.unlink(names.pending)
    } catch {
      handOverStaged()
      return failure
    }
    // A power cut could bring the pending record back as long as its removal is not on the disk.
    // The staged files then have to be there, so they stay for the next transaction to remove.
    do {
      try fileSystem.syncFolder(names.folder)
    } catch {
      handOverStaged()
      leaveStagedFiles()
    }
    throw failure
  }
}

extension PhotoNames {
  /// Decides a change whose record is staged, by a rename that still has to be flushed.
  func makePending(_ staged: FilePath, _ fileSystem: FileSystem) throws(StorageError) {
    let isPending = try onDisk { () throws(FileSystemError) in
      try fileSystem.renameWithoutReplacing(staged, to: pending)
    }
    if !isPending { throw .recordChanged(pending) }
  }
}

// MARK: - What is held

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
}
