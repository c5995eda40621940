import Dispatch
import FoundationEssentials
import Synchronization

/// Tells whoever wants to know of change sets, those of other processes too.
///
/// All of it happens on one queue, which is asleep until this process says that it wrote or the
/// write-ahead log changes.
final class Notices: Sendable {
  private struct Listener: @unchecked Sendable {
    // A weak reference may be read from any thread.
    weak var object: (any PhotoLibraryChangeObserver)?
  }

  private struct State: Sendable {
    var listeners: [Listener] = []
    var streams: [Int: AsyncStream<Change>.Continuation] = [:]
    var nextStream = 0
    /// The last change set that was told; `nil` until somebody wants to know.
    var last: Int64?
    var watch: CatalogWatch?
    /// The states right after change sets of this process that are still to be told.
    var own: [Snapshot] = []
    /// Counts how often the log was seen to change.
    var writes = 0
    /// Called when folders came or left, and what told of that when it was called last.
    var followFolders: (@Sendable () -> Void)?
    var folders: [Int64] = []
  }

  /// Most states that are kept for change sets that are still to be told.
  private static let ownLimit = 32

  private let snapshots: Snapshots
  private let identity: String
  private let queue = DispatchQueue(label: "org.safelight.library.changes")
  private let state = Mutex(State())

  init(_ snapshots: Snapshots) throws(PhotoLibraryError) {
    self.snapshots = snapshots
    identity = try snapshots.now().identity()
  }

  deinit {
    state.withLock { state in
      state.watch?.stop()
      for stream in state.streams.values { stream.finish() }
    }
  }

  func add(_ observer: any PhotoLibraryChangeObserver) {
    start()
    state.withLock { state in
      state.listeners.removeAll { $0.object == nil || $0.object === observer }
      state.listeners.append(Listener(object: observer))
    }
  }

  func remove(_ observer: any PhotoLibraryChangeObserver) {
    state.withLock { state in
      state.listeners.removeAll { $0.object == nil || $0.object === observer }
    }
  }

  func stream() -> AsyncStream<Change> {
    start()
    let (stream, continuation) = AsyncStream<Change>.makeStream()
    let number = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
    return stream
  }

  /// Calls a block whenever folders come to the library or leave it, by whatever process.
  func followFolders(_ follow: (@Sendable () -> Void)?) {
    if follow != nil { start() }
    state.withLock { $0.followFolders = follow }
  }

  private func tellOfFolders() {
    guard state.withLock({ $0.followFolders != nil }), let folders = try? snapshots.folders()
    else { return }
    let follow = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.folders != folders else { return nil }
      state.folders = folders
      return state.followFolders
    }
    follow?()
  }

  /// Takes note of a change set of this process, and of the library as it is now.
  func noteOwnChange(_ token: Int64) {
    let isWanted = state.withLock { $0.last != nil }
    guard isWanted else { return }
    let snapshot = try? snapshots.now()
    state.withLock { state in
      if let snapshot, state.own.count < Self.ownLimit { state.own.append(snapshot) }
    }
    queue.async { [weak self] in self?.tell() }
  }

  /// Begins to watch, from the present on.
  private func start() {
    let token = (try? snapshots.now().token) ?? 0
    state.withLock { state in
      guard state.last == nil else { return }
      state.last = token
      state.watch = CatalogWatch(snapshots.path, on: queue) { [weak self] in
        self?.lookRepeatedly()
      }
    }
  }

  /// Looks now, and for a second again after longer and longer: what is written to the log becomes
  /// visible only once it is flushed, and nothing tells of that moment.
  private func lookRepeatedly() {
    let write = state.withLock { state in
      state.writes += 1
      return state.writes
    }
    tell()
    look(after: 1, write)
  }

  private func look(after milliseconds: Int, _ write: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      // A later write is looked after by itself.
      guard let self, state.withLock({ $0.writes == write }) else { return }
      tell()
      if milliseconds < 512 { look(after: milliseconds * 2, write) }
    }
  }

  /// Tells of the change sets that have not been told.
  private func tell() {
    var states = state.withLock { state in
      defer { state.own = [] }
      return state.own
    }
    tellOfFolders()
    if let present = try? snapshots.now() { states.append(present) }
    for snapshot in states {
      let last = state.withLock { $0.last ?? 0 }
      guard snapshot.token > last,
        let changes = try? snapshot.changes(after: last, of: identity)
      else { continue }
      for change in changes { tell(change) }
    }
  }

  private func tell(_ change: Change) {
    let (listeners, streams) = state.withLock { state in
      state.last = change.changeToken.number
      return (state.listeners, Array(state.streams.values))
    }
    for listener in listeners { listener.object?.photoLibraryDidChange(change) }
    for stream in streams { stream.yield(change) }
  }
}

extension Snapshot {
  /// The change sets after a token, oldest first.
  fileprivate func changes(
    after token: Int64, of identity: String
  ) throws(PhotoLibraryError) -> [Change] {
    let rows = try read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT token, date FROM change WHERE token > ? ORDER BY token", [token]
      ) { (token: $0[0] as Int64, date: $0[1] as Date) }
    }
    return rows.map { row in
      Change(
        changeToken: PersistentChangeToken(catalog: identity, number: row.token), date: row.date,
        snapshot: self)
    }
  }
}
