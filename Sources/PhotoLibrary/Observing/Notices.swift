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

  /// The changes from now on, in their order. Each new sequence gets all of them.
  public var changes: Changes { Changes(feed: notices.feed()) }

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
  /// library. The observer may call `performChangesAndWait`.
  func photoLibraryDidChange(_ change: Change)
}

/// The changes of a library, by any process, in their order.
///
/// Changes that the program has not taken yet cost nothing: they are in the catalog's history. A program that
/// is more than 256 change sets behind gets one ``Change`` for all of them. The sequence ends when the library
/// is released.
public struct Changes: AsyncSequence, Sendable {
  /// One change.
  public typealias Element = Change
  /// Nothing fails.
  public typealias Failure = Never

  let feed: ChangeFeed

  /// Waits for one change after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: ChangeFeed

    /// The next change; `nil` when the library is released or the task is cancelled.
    public mutating func next() async -> Change? { await feed.next() }

    /// The next change; `nil` when the library is released or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
      await feed.next()
    }
  }

  /// Goes on where the sequence is; its iterators share the changes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: feed) }
}

/// The place of one reader in the history.
final class ChangeFeed: Sendable {
  /// The most change sets that a reader gets one by one.
  static let limit: Int64 = 256

  fileprivate struct State: Sendable {
    /// The last change set that the reader took.
    var taken: Int64
    /// The last change set that it may take.
    var last: Int64
    var isOver = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWait = 0
  }

  private let states: ChangeStates
  private let identity: String
  private let state: Mutex<State>

  init(_ states: ChangeStates, of identity: String, after token: Int64) {
    (self.states, self.identity) = (states, identity)
    state = Mutex(State(taken: token, last: token))
  }

  /// Lets the reader take all change sets up to a token.
  func advance(to token: Int64) {
    wake { $0.last = max($0.last, token) }
  }

  /// The number of change sets that the reader has not taken.
  var behind: Int64 { state.withLock { $0.last - $0.taken } }

  /// Ends the sequence after the change sets that the reader may take now.
  func end() { wake { $0.isOver = true } }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }

  func next() async -> Change? {
    while !Task.isCancelled {
      let (change, isOver) = state.withLock { ($0.next(states, identity), $0.isOver) }
      if change != nil || isOver { return change }
      await wait()
    }
    return nil
  }

  private func wait() async {
    let number = state.withLock { state in
      state.nextWait += 1
      return state.nextWait
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.taken < state.last || state.isOver || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}

extension ChangeFeed.State {
  /// Takes the next change; `nil` when there is none.
  fileprivate mutating func next(_ states: ChangeStates, _ identity: String) -> Change? {
    guard taken < last else { return nil }
    // The history may have lost the oldest change sets.
    let isFarBehind = last - taken > ChangeFeed.limit
    let found = try? states.snapshots.changeSet(after: isFarBehind ? last - 1 : taken, upTo: last)
    defer { taken = found?.number ?? last }
    return found.map { found in
      Change(
        changeToken: PersistentChangeToken(catalog: identity, number: found.number),
        date: found.date, first: taken + 1, state: ChangeState(nil, in: states))
    }
  }
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

  private struct Feed: Sendable {
    weak var feed: ChangeFeed?
  }

  private struct State: Sendable {
    var observers: [Observer] = []
    var feeds: [Feed] = []
    /// The last change set that observers got; `nil` before the first observer.
    var last: Int64?
    var watch: FileWatch?
    /// The states right after those change sets of this process that observers have not got yet.
    var own: [Snapshot] = []
    /// The number of changes of the log.
    var writes = 0
    /// Called when folders were added or removed, or when what is left out of them changed.
    var followFolders: (@Sendable () -> Void)?
    /// The folders at the last call.
    var folders: [String] = []
  }

  private let snapshots: Snapshots
  private let states: ChangeStates
  private let identity: String
  private let queue = DispatchQueue(label: "org.safelight.library.changes")
  private let state = Mutex(State())

  /// - Parameter identity: The catalog's.
  init(_ snapshots: Snapshots, of identity: String) {
    (self.snapshots, self.identity) = (snapshots, identity)
    states = ChangeStates(snapshots)
  }

  deinit {
    state.withLock { state in
      state.watch?.stop()
      for feed in state.feeds { feed.feed?.end() }
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

  func feed() -> ChangeFeed {
    start()
    return state.withLock { state in
      let feed = ChangeFeed(states, of: identity, after: state.last ?? 0)
      state.feeds.removeAll { $0.feed == nil }
      state.feeds.append(Feed(feed: feed))
      return feed
    }
  }

  /// Calls a block whenever any process adds folders to the library or removes them, or changes what is
  /// left out of them.
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
    let (isWatched, hasObservers) = state.withLock { state in
      (state.last != nil, state.observers.contains { $0.object != nil })
    }
    guard isWatched else { return }
    if hasObservers, let snapshot = try? snapshots.now() {
      state.withLock { state in
        if state.own.count < ChangeStates.limit { state.own.append(snapshot) }
      }
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
    var unseen = state.withLock { state in
      defer { state.own = [] }
      return state.own
    }
    checkFolders()
    guard state.withLock({ $0.observers.contains { $0.object != nil } }) else {
      // A sequence takes no state before somebody asks one of its changes.
      if let token = try? snapshots.token() { advance(to: token) }
      return
    }
    if let present = try? snapshots.now() { unseen.append(present) }
    for snapshot in unseen {
      let last = state.withLock { $0.last ?? 0 }
      guard snapshot.token > last,
        let changes = try? snapshot.changes(after: last, of: identity, in: states)
      else { continue }
      for change in changes { tell(change) }
    }
  }

  private func tell(_ change: Change) {
    let observers = state.withLock { state in
      state.last = change.changeToken.number
      return state.observers
    }
    for observer in observers { observer.object?.photoLibraryDidChange(change) }
    advance(to: change.changeToken.number)
  }

  /// Lets the sequences have the changes up to a token.
  private func advance(to token: Int64) {
    let feeds = state.withLock { state in
      state.last = max(state.last ?? 0, token)
      return state.feeds
    }
    for feed in feeds { feed.feed?.advance(to: token) }
  }
}

extension Snapshot {
  /// The change sets after a token, oldest first.
  fileprivate func changes(
    after token: Int64, of identity: String, in states: ChangeStates
  ) throws(PhotoLibraryError) -> [Change] {
    let rows = try read { database in
      try database.rows(
        "SELECT token, date FROM change WHERE token > ? ORDER BY token", [token]
      ) { (token: $0[0] as Int64, date: $0[1] as Date) }
    }
    let state = ChangeState(self, in: states)
    return rows.map { row in
      Change(
        changeToken: PersistentChangeToken(catalog: identity, number: row.token), date: row.date,
        first: row.token, state: state)
    }
  }
}
