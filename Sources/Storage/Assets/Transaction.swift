import Synchronization

/// A change to one asset, during which no other process reads or changes it.
///
/// New files are staged under hidden names first. ``commit(_:editor:timestamp:render:pixelWidth:pixelHeight:renderer:base:history:)``
/// and ``revert(keepingRender:droppingVersions:)`` then decide in one step: the renaming of a record to its pending
/// name. Before it the old edit stands, after it the new one, and whatever dies later, readers see
/// the new one and the next transaction finishes the work. An error means the old edit stands.
///
/// One change to a transaction. It may be used from any thread, by one caller at a time; its lock
/// goes with ``end()``, with the last reference, and with the process.
public final class Transaction: Sendable {
  /// The asset as it was when the transaction began, recovery done.
  public let snapshot: PhotoSnapshot

  let fileSystem: FileSystem
  /// Whether the change is only made ready, to be made with others or not at all.
  let isHolding: Bool
  private let state = Mutex(State())

  private struct State {
    var isOver = false
    var staged: [StagedFile.Role: StagedFile] = [:]
    /// The versions whose renders are staged, in the order of their hidden names.
    var versions: [String] = []
    var held: HeldChange?
  }

  /// A change whose files are all on the disk, under hidden names.
  struct HeldChange: Sendable {
    let change: PendingChange
    /// The SHA-256 of the record that decides it.
    let digest: Digest
  }

  init(_ snapshot: PhotoSnapshot, _ fileSystem: FileSystem, isHolding: Bool = false) {
    self.snapshot = snapshot
    self.fileSystem = fileSystem
    self.isHolding = isHolding
  }

  /// Whether a change is ready and waits for ``makeHeldChange()``; ending the transaction drops it.
  public var holdsChange: Bool { state.withLock { $0.held != nil } }

  func hold(_ change: HeldChange) {
    state.withLock { $0.held = change }
  }

  /// The change that waits, which from now on does so no longer.
  func takeHeld() -> HeldChange? {
    state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
  }

  deinit { end() }

  /// The original, open for reading.
  public var original: OriginalFile { snapshot.original }
  /// The record that the change starts from; `nil` when the photo is not edited.
  public var record: Record? { snapshot.record }

  var names: PhotoNames { snapshot.names }
  var contents: FileContents { snapshot.contents }

  /// Lets others at the asset, and drops what was staged and not committed. Doing it twice is fine.
  public func end() {
    state.withLock { $0.isOver = true }
    discardStaged()
    original.unlock()
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

  func remember(_ file: StagedFile) {
    state.withLock { $0.staged[file.role] = file }
  }

  /// The place of a version among those that are staged, to which it is added.
  func stagedIndex(ofVersion name: String) -> Int {
    state.withLock { state in
      if let index = state.versions.firstIndex(of: name) { return index }
      state.versions.append(name)
      return state.versions.count - 1
    }
  }

  /// The versions whose renders come with the change, as a record tells of them.
  var stagedVersions: [String] { state.withLock { $0.versions } }

  func isStaged(_ file: StagedFile, as role: StagedFile.Role) -> Bool {
    state.withLock { $0.staged[role] == file }
  }

  /// Leaves staged files to the pending record, which tells of them.
  func handOverStaged() {
    state.withLock { $0.staged = [:] }
  }

  /// Removes staged files as far as that works; the next transaction removes the rest.
  func discardStaged() {
    let (staged, versions) = state.withLock { state in
      defer { state.staged = [:] }
      return (state.staged, state.versions)
    }
    if takeHeld() != nil { try? fileSystem.unlink(names.stagedRecord) }
    for file in staged.values where !file.role.isVersion { try? fileSystem.unlink(file.path) }
    // From the last: what is left must begin with the first to be found.
    for index in versions.indices.reversed() {
      guard staged[.file(.version(versions[index]))] != nil else { continue }
      do { try fileSystem.unlink(names.stagedVersion(index)) } catch { return }
    }
  }
}
