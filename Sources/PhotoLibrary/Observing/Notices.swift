import Dispatch
import FoundationEssentials
import SafelightCatalog
import SafelightFiles
import Synchronization

extension PhotoLibrary {
  /// Calls an observer for each change set from now on, as long as the observer exists.
  ///
  /// Registering an observer twice has no effect.
  /// - Parameter observer: Held weakly.
  public func register(_ observer: any PhotoLibraryChangeObserver) {
    notices.add(observer)
  }

  /// Stops calling an observer. Does not wait for a running call.
  public func unregisterChangeObserver(_ observer: any PhotoLibraryChangeObserver) {
    notices.remove(observer)
  }

  /// The change sets from now on, in their order. The sequence ends when the library is released. Each
  /// new sequence gets all change sets.
  public var changes: AsyncStream<Change> { notices.stream() }

  /// Called after each change set of this process.
  func didChange(_ token: Int64) {
    notices.noteOwnChange(token)
  }
}

/// An observer that is called when any process changes a library.
///
/// ```swift
/// final class Grid: PhotoLibraryChangeObserver {
///   func photoLibraryDidChange(_ change: Change) { Task { @MainActor in reload(change) } }
/// }
/// library.register(grid)
/// ```
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Called once for each change set, in their order, one call after the other, on a queue of the
  /// library. The observer may call ``PhotoLibrary/performChangesAndWait(_:)``.
  func photoLibraryDidChange(_ change: Change)
}

/// Calls observers for the change sets of this process and others.
///
/// Everything happens on one queue. The queue sleeps until this process has written or the
/// write-ahead log changes.
final class Notices: Sendable {
  private struct Observer: @unchecked Sendable {
    // A weak reference may be read from any thread.
    weak var object: (any PhotoLibraryChangeObserver)?
  }

  private struct State: Sendable {
    var observers: [Observer] = []
    var streams: [Int: AsyncStream<Change>.Continuation] = [:]
    var nextStream = 0
    /// The last change set that observers got; `nil` before the first observer.
    var last: Int64?
    var watch: FileWatch?
    /// The states right after those change sets of this process that observers have not got yet.
    var own: [Snapshot] = []
    /// The number of changes of the log.
    var writes = 0
    /// Called when folders were added or removed.
    var followFolders: (@Sendable () -> Void)?
    /// The folders at the last call.
    var folders: [Int64] = []
  }

  /// The largest number of states in `own`.
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
      state.observers.removeAll { $0.object == nil || $0.object === observer }
      state.observers.append(Observer(object: observer))
    }
  }

  func remove(_ observer: any PhotoLibraryChangeObserver) {
    state.withLock { state in
      state.observers.removeAll { $0.object == nil || $0.object === observer }
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

  /// Calls a block whenever any process adds folders to the library or removes them.
  func followFolders(_ follow: (@Sendable () -> Void)?) {
    if follow != nil { start() }
    state.withLock { $0.followFolders = follow }
  }

  private func checkFolders() {
    guard state.withLock({ $0.followFolders != nil }), let folders = try? snapshots.folders()
    else { return }
    let follow = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.folders != folders else { return nil }
      state.folders = folders
      return state.followFolders
    }
    follow?()
  }

  /// Calls observers for a change set of this process, with the library as it is now.
  func noteOwnChange(_ token: Int64) {
    let hasObservers = state.withLock { $0.last != nil }
    guard hasObservers else { return }
    let snapshot = try? snapshots.now()
    state.withLock { state in
      if let snapshot, state.own.count < Self.ownLimit { state.own.append(snapshot) }
    }
    queue.async { [weak self] in self?.tell() }
  }

  /// Watches the catalog's file, even without an observer of change sets.
  func watchCatalog() { start() }

  /// Begins to watch the catalog. Observers get the change sets from now on.
  private func start() {
    let token = (try? snapshots.now().token) ?? 0
    state.withLock { state in
      guard state.last == nil else { return }
      state.last = token
      state.watch = watchLog()
    }
  }

  /// Watches the catalog and its write-ahead log, which every writing process changes. SQLite removes the
  /// log with its last reader, so this watches the folder.
  ///
  /// - Returns: `nil` when the system allows no more watches. Observers then get the change sets of other
  ///   processes together with the next change set of this process.
  private func watchLog() -> FileWatch? {
    let name = snapshots.path.lastComponent ?? snapshots.path
    let names = [name, name.suffixed("-wal")]
    let changes: FileWatch.Changes = [.modified, .created, .movedHere, .movedAway, .removed]
    let watch = try? FileWatch(for: changes, on: queue) { [weak self] events in
      if events.contains(where: { $0.isOverflow || names.contains($0.name) }) {
        self?.checkRepeatedly()
      }
    }
    guard let watch, (try? watch.add(snapshots.path.removingLastComponent())) == true else {
      return nil
    }
    return watch
  }

  /// Checks now, and then for a second after longer and longer waits. A change becomes visible when the log
  /// is flushed, and there is no event at that moment.
  private func checkRepeatedly() {
    let write = state.withLock { state in
      state.writes += 1
      return state.writes
    }
    tell()
    check(after: 1, write)
  }

  private func check(after milliseconds: Int, _ write: Int) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      // A later write has checks of its own.
      guard let self, state.withLock({ $0.writes == write }) else { return }
      tell()
      if milliseconds < 512 { check(after: milliseconds * 2, write) }
    }
  }

  /// Calls observers for all change sets that they have not got yet.
  private func tell() {
    var states = state.withLock { state in
      defer { state.own = [] }
      return state.own
    }
    checkFolders()
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
    let (observers, streams) = state.withLock { state in
      state.last = change.changeToken.number
      return (state.observers, Array(state.streams.values))
    }
    for observer in observers { observer.object?.photoLibraryDidChange(change) }
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
