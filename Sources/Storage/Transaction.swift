import FoundationEssentials
import SafelightFiles
import Synchronization

/// A change to one photo, during which no other process reads or changes it.
///
/// New files are staged under hidden names first. ``commit(_:editor:timestamp:render:pixelWidth:pixelHeight:renderer:base:history:)``
/// and ``revert(keepingRender:droppingVersions:)`` then decide by one rename of a record to its
/// pending name. Before the rename the old edit counts, after it the new one; when the process dies
/// later, the next transaction finishes the work. After an error the old edit counts.
///
/// A transaction makes one change. Any thread may use it, one at a time. Its lock ends with
/// ``end()``, with the last reference, and with the process.
package final class Transaction: Sendable {
  /// The photo as it was when the transaction began, recovery done.
  package let snapshot: PhotoSnapshot

  var fileSystem: FileSystem { original.fileSystem }
  /// Whether the change is held, to be made together with others or not at all.
  let isHolding: Bool
  /// The end of the hidden names of the files that this transaction stages.
  private let token: String = {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }()
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var staged: [FileRole: StagedFile] = [:]
    /// The files that this transaction made under hidden names, and nobody else may remove.
    var made: [FilePath: FileStatus] = [:]
    /// The versions whose renders are staged, in the order of their hidden names.
    var versions: [String] = []
    var held: HeldChange?
    /// Whether staged files stay that the next transaction is to remove.
    var leavesStagedFiles = false
    /// The claims on the names that new files get.
    var claims: [Claim] = []
  }

  /// A change whose files are all on the disk, under hidden names.
  struct HeldChange: Sendable {
    let change: PendingChange
    /// The SHA-256 of the record that decides it.
    let digest: Digest
  }

  init(_ snapshot: PhotoSnapshot, isHolding: Bool = false) {
    self.snapshot = snapshot
    self.isHolding = isHolding
  }

  /// Whether a change is held for ``makeHeldChange()``; ending the transaction drops it.
  package var holdsChange: Bool { held != nil }

  /// The held change.
  var held: HeldChange? { state.withLock(\.held) }

  func hold(_ change: HeldChange) {
    state.withLock { $0.held = change }
  }

  /// Takes the held change out of the transaction.
  func takeHeld() -> HeldChange? {
    state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
  }

  deinit { end() }

  /// The original, open for reading.
  package var original: OriginalFile { snapshot.original }
  /// The record that the change starts from; `nil` when the photo is not edited.
  package var record: Record? { snapshot.record }

  var names: PhotoNames { snapshot.names }
  var contents: FileContents { snapshot.contents }

  /// Ends the transaction: others may work on the photo, and what was staged and not committed is
  /// removed. A second call does nothing.
  package func end() {
    state.withLock { $0.isOver = true }
    discardStaged()
    let claims = state.withLock { state in
      defer { state.claims = [] }
      return state.claims
    }
    for claim in claims where !claim.release(leavingFile: false) { leaveStagedFiles() }
    original.unlock(leavingStagedFiles: state.withLock(\.leavesStagedFiles))
  }

  /// Where the render goes. A new name is claimed until the transaction ends, because a photo with
  /// the same stem may be about to take it.
  func claimedRenderPath() throws(StorageError) -> FilePath {
    let planned = try snapshot.plannedPath(.render)
    if try contents.exists(planned) { return planned }
    let candidates = try snapshot.newPaths(.render)
    for path in candidates {
      guard path.nameFits else { throw .nameTooLong(path, limit: PhotoNames.limit) }
      if try contents.exists(path) { continue }
      let names = PhotoNames(path)
      try names.checkClaimsName(fileSystem)
      let claim = try onDisk { () throws(FileSystemError) in try Claim.take(names, fileSystem) }
      guard let claim else { continue }
      // A process that died may have decided that its render gets the name.
      let isDoubtful = claim.isLeftOver && path != candidates.last
      let isTaken = try contents.exists(path)
      if isDoubtful || isTaken {
        claim.release(leavingFile: isDoubtful)
        continue
      }
      state.withLock { $0.claims.append(claim) }
      return path
    }
    throw .nameTaken(names.candidates(FileRole.render.suffix).map(names.path))
  }

  func requireOpen() throws(StorageError) {
    if state.withLock({ $0.isOver }) { throw .transactionOver(original.path) }
  }

  /// Marks the beginning of the one change that a transaction makes.
  func close() throws(StorageError) {
    let wasOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if wasOver { throw .transactionOver(original.path) }
  }

  /// The place of a version among those that are staged, to which it is added.
  func stagedIndex(ofVersion name: String) -> Int {
    state.withLock { state in
      if let index = state.versions.firstIndex(of: name) { return index }
      state.versions.append(name)
      return state.versions.count - 1
    }
  }

  /// The versions whose renders come with the change.
  var stagedVersions: [String] { state.withLock { $0.versions } }

  /// What is staged, as a record tells it.
  var staging: Staging {
    state.withLock { state in
      Staging(roles: FileRole.single.filter { state.staged[$0] != nil })
    }
  }

  func isStaged(_ file: StagedFile, as role: FileRole) -> Bool {
    state.withLock { $0.staged[role] == file }
  }

  /// The files that this transaction staged, under their hidden names.
  var made: [FilePath] { state.withLock { Array($0.made.keys) } }

  /// Forgets the staged files, because they belong to the pending record from now on.
  func handOverStaged() {
    state.withLock { state in
      state.staged = [:]
      state.made = [:]
    }
  }

  /// Leaves a claim behind, so that the next transaction removes the staged files.
  func leaveStagedFiles() {
    state.withLock { $0.leavesStagedFiles = true }
  }

  /// Removes the files that this transaction staged.
  func discardStaged() {
    _ = takeHeld()
    for path in made { discard(path) }
    state.withLock { $0.staged = [:] }
  }

  /// Removes a file that this transaction staged, unless the path has another file.
  private func discard(_ path: FilePath) {
    guard let made = state.withLock({ $0.made.removeValue(forKey: path) }) else { return }
    do {
      guard try fileSystem.status(of: path)?.isSameFile(as: made) == true else { return }
      try fileSystem.unlink(path)
    } catch {
      leaveStagedFiles()
    }
  }

  /// Removes a file that is being staged.
  func discard(_ sink: FileSink) {
    if !sink.discard() { leaveStagedFiles() }
  }

  /// Notes a staged file that is whole, so that it is removed unless the change is decided.
  func remember(_ path: FilePath, _ sha256: Digest) throws(FileSystemError) {
    guard let status = try fileSystem.status(of: path) else { return }
    state.withLock { $0.made[path] = status }
    contents.note(sha256, of: path, status)
  }

  /// Makes a file under a hidden name that nobody may read who may not read the original, or the
  /// sidecar that is there.
  func stagingSink(_ path: FilePath) throws(StorageError) -> FileSink {
    let present = snapshot.sidecar?.status.modeOfCompanion ?? 0o666
    let mode = original.status.modeOfCompanion & present
    return try onDisk { () throws(FileSystemError) in
      let sink = try FileSink(
        named: path.lastComponent ?? path, in: fileSystem.folder(names.folder), mode: 0o600)
      do throws(FileSystemError) {
        try sink.admit(mode, like: original.file)
      } catch {
        discard(sink)
        throw error
      }
      return sink
    }
  }
}

extension Transaction {
  /// Stages the rendered JPEG that `write` produces.
  ///
  /// Checks first that the render will have a name and that nobody retouched the present one, so
  /// that no time is lost on a render that cannot be committed. Staging again replaces the file.
  /// - Parameter write: Puts the JPEG into the sink, from the first byte to the last.
  /// - Throws: ``StorageError``, and what `write` throws. Nothing is left behind then.
  package func stageRender(_ write: (FileSink) throws -> Void) throws -> StagedFile {
    try stageReportedRender(write).file
  }

  /// Stages the rendered JPEG that `write` produces, and returns what `write` returns with it.
  ///
  /// - Parameter version: The named version whose render it is; `nil` for the present edit's.
  package func stageReportedRender<Report>(
    of version: String? = nil, _ write: (FileSink) throws -> Report
  ) throws -> (file: StagedFile, report: Report) {
    let role = FileRole.render(of: version)
    let sink = try openSink(role)
    do {
      let report = try write(sink)
      return (try finish(sink, role), report)
    } catch {
      discard(sink)
      throw (error as? FileSystemError).map(StorageError.fileSystem) ?? error
    }
  }

  /// Stages a copy of a rendered JPEG that was written elsewhere.
  ///
  /// - Parameters:
  ///   - source: The JPEG; it stays where it is.
  ///   - version: The named version whose render it is; `nil` for the present edit's.
  /// - Throws: ``StorageError``. Nothing is left behind then.
  package func stageRender(
    copying source: FilePath, of version: String? = nil
  ) throws(StorageError) -> StagedFile {
    try stageCopy(of: source, as: .render(of: version))
  }

  /// Stages a copy of the current render as the base of the edit to come.
  ///
  /// - Throws: ``StorageError/renderMissing(_:)`` without a render,
  ///   ``StorageError/renderChanged(_:)`` when it is not the one that was rendered.
  package func stageBaseFromCurrentRender() throws(StorageError) -> StagedFile {
    guard let render = snapshot.render, let recorded = record?.render?.file else {
      throw .renderMissing(original.path)
    }
    let staged = try stageCopy(of: render, as: .base)
    guard staged.sha256 == recorded.sha256 else {
      discard(staged.path)
      throw .renderChanged(render)
    }
    return staged
  }

  func stageCopy(
    of source: FilePath, as role: FileRole
  ) throws(StorageError) -> StagedFile {
    let sink = try openSink(role)
    do throws(StorageError) {
      try onDisk { () throws(FileSystemError) in
        let file = try fileSystem.openReadOnly(try fileSystem.resolve(source))
        try fileSystem.readChunks(of: file) { (chunk) throws(FileSystemError) in
          try sink.write(chunk)
        }
      }
      return try finish(sink, role)
    } catch {
      discard(sink)
      throw error
    }
  }

  /// Stages a sidecar that a revert puts back.
  func stageSidecar(_ bytes: Data) throws(StorageError) -> StagedFile {
    let sink = try stagingSink(stagedPath(.sidecar))
    do throws(StorageError) {
      try onDisk { () throws(FileSystemError) in try sink.write(Array(bytes)) }
      return try finish(sink, .sidecar)
    } catch {
      discard(sink)
      throw error
    }
  }

  private func openSink(_ role: FileRole) throws(StorageError) -> FileSink {
    try requireOpen()
    _ = try snapshot.plannedPath(role)
    let path = stagedPath(role)
    discard(path)
    return try stagingSink(path)
  }

  private func finish(
    _ sink: FileSink, _ role: FileRole
  ) throws(StorageError) -> StagedFile {
    let path = stagedPath(role)
    let (size, sha256) = try onDisk { () throws(FileSystemError) in
      let finished = try sink.finish()
      try remember(path, finished.sha256)
      return finished
    }
    let file = StagedFile(size: size, sha256: sha256, path: path, role: role)
    state.withLock { $0.staged[role] = file }
    return file
  }

  /// The hidden path of a file that this transaction stages.
  func stagedPath(_ role: FileRole) -> FilePath {
    let index = role.name.map(stagedIndex(ofVersion:))
    return names.staged(HiddenFile.StagedKind(role.kind, index), token: token)
  }
}

/// A file that waits under a hidden name, flushed to the disk, to become part of the photo.
package struct StagedFile: Sendable, Hashable {
  /// Its length in bytes.
  package let size: Int64
  /// The SHA-256 of its bytes.
  package let sha256: Digest
  /// Where it waits. It is readable there until the transaction is over.
  package let path: FilePath

  let role: FileRole
}
