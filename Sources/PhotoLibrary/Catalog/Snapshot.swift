import FoundationEssentials
import SafelightCatalog
import SafelightFiles
import Synchronization

/// The library as it was at one moment, as a client saw it then.
final class Snapshot: Sendable {
  /// The catalog's file.
  let path: FilePath
  /// What the client might see and do.
  let access: Access
  private let transaction: ReadTransaction
  private let failed: @Sendable (DatabaseError) -> Void

  /// The token of the last change set that the snapshot has; 0 before the first.
  var token: Int64 { transaction.token }

  /// Takes a snapshot for a client.
  ///
  /// - Parameter failed: Called with each error of reading, on any thread.
  init(
    _ path: FilePath, _ client: Client = .owner,
    failed: @escaping @Sendable (DatabaseError) -> Void = { _ in }
  ) throws(PhotoLibraryError) {
    (self.path, self.failed) = (path, failed)
    do throws(DatabaseError) {
      let transaction = try ReadTransaction(path, for: client.identifier)
      access = try transaction.read { (database) throws(DatabaseError) in
        try Access(client, in: database)
      }
      self.transaction = transaction
    } catch {
      failed(error)
      throw PhotoLibraryError(error, path)
    }
  }

  /// Notes damage that a reader found, as if SQLite had found it.
  func note(_ damage: DatabaseError) { failed(damage) }

  /// Reads from the catalog; one thread at a time.
  func read<Result>(
    _ work: (Database) throws -> sending Result
  ) throws(PhotoLibraryError) -> sending Result {
    do { return try transaction.read(work) } catch {
      if let error = error as? DatabaseError { failed(error) }
      throw PhotoLibraryError(error, at: path)
    }
  }
}

/// Makes snapshots of the present; until somebody writes, it gives the same snapshot again.
final class Snapshots: Sendable {
  private struct State {
    /// A connection without a transaction, which sees what any process writes.
    var watcher: Database
    weak var last: Snapshot?
  }

  let path: FilePath
  private let client: Client
  private let state: Mutex<State>
  /// The file that was opened. Another file with its name is another library's.
  private let inode: UInt64?
  /// Why nothing can be read; for a library that could not be opened.
  private let failure: PhotoLibraryError?
  private let lossHandler = Mutex<(@Sendable (PhotoLibraryError) -> Void)?>(nil)

  init(_ path: FilePath, _ client: Client) throws(PhotoLibraryError) {
    (self.path, self.client, failure) = (path, client, nil)
    state = Mutex(State(watcher: try withLibraryErrors(at: path) { try .toRead(path) }))
    inode = path.status?.inode
  }

  /// Of a library that cannot be opened: gives no snapshot.
  init(insteadOf path: FilePath, because error: PhotoLibraryError) throws(PhotoLibraryError) {
    (self.path, client, inode, failure) = (path, .owner, nil, error)
    let empty = try withLibraryErrors(at: path) { try Database(":memory:", .create) }
    state = Mutex(State(watcher: empty))
  }

  /// Calls a block whenever a read finds that the catalog is gone or damaged.
  func onLoss(_ handler: @escaping @Sendable (PhotoLibraryError) -> Void) {
    lossHandler.withLock { $0 = handler }
  }

  private func noteFailure(_ error: DatabaseError) {
    guard error.isFileLost else { return }
    lossHandler.withLock(\.self)?(PhotoLibraryError(error, path))
  }

  /// Throws when the catalog's file was removed or replaced.
  func checkPresence() throws(PhotoLibraryError) {
    if let failure { throw failure }
    guard let inode, path.status?.inode == inode else {
      noteFailure(.replaced)
      throw PhotoLibraryError(.replaced, path)
    }
  }

  /// The library as it is now.
  func now() throws(PhotoLibraryError) -> Snapshot {
    try checkPresence()
    let (path, client) = (path, client)
    return try state.withLock { (state) throws(PhotoLibraryError) in
      let token = try token(&state)
      if let last = state.last, last.token == token { return last }
      let snapshot = try Snapshot(path, client) { [weak self] error in self?.noteFailure(error) }
      state.last = snapshot
      return snapshot
    }
  }

  /// The token of the last change set; 0 before the first.
  func token() throws(PhotoLibraryError) -> Int64 {
    try checkPresence()
    return try state.withLock { (state) throws(PhotoLibraryError) in try token(&state) }
  }

  private func token(_ state: inout State) throws(PhotoLibraryError) -> Int64 {
    // Somebody else may write to the library, although this process may not.
    if state.watcher.isUntouched, path.hasLog {
      state.watcher = try withLibraryErrors(at: path) { try .toRead(path) }
    }
    return try read(state.watcher) { database in try database.lastToken() }
  }

  /// The number and the date of the first change set after a token that is there, up to a last token.
  func changeSet(
    after token: Int64, upTo last: Int64
  ) throws(PhotoLibraryError) -> (number: Int64, date: Date)? {
    try state.withLock { (state) throws(PhotoLibraryError) in
      try read(state.watcher) { database in
        try database.rows(
          "SELECT token, date FROM change WHERE token > ? AND token <= ? ORDER BY token LIMIT 1",
          [token, last]
        ) { (number: $0[0] as Int64, date: $0[1] as Date) }.first
      }
    }
  }

  /// A value that changes when folders are added or removed, or when more or less is left out of one.
  func folders() throws(PhotoLibraryError) -> [String] {
    try state.withLock { (state) throws(PhotoLibraryError) in
      try read(state.watcher) { database in
        try database.rows(
          """
          SELECT id || ' ' || hex(coalesce(excludes, x'')) FROM folder WHERE isRoot = 1
          UNION ALL SELECT * FROM (SELECT coalesce(max(id), 0) || '' FROM folder)
          """
        ) { $0[0] as String }
      }
    }
  }

  private func read<Result>(
    _ database: Database, _ work: (Database) throws -> Result
  ) throws(PhotoLibraryError) -> Result {
    do { return try work(database) } catch {
      if let error = error as? DatabaseError { noteFailure(error) }
      throw PhotoLibraryError(error, at: path)
    }
  }
}

extension Catalog {
  /// Performs a change set, as ``perform(at:_:)`` does, with the library's errors.
  @discardableResult
  func change(
    at date: Date = Date(), _ work: (Database) throws -> [ChangedObject]
  ) throws(PhotoLibraryError) -> Int64? {
    do { return try perform(at: date, work) } catch { throw PhotoLibraryError(error, at: path) }
  }

  /// Writes what is not in the history, such as folders.
  func update(_ work: (Database) throws -> Void) throws(PhotoLibraryError) {
    try change { database in
      try work(database)
      return []
    }
  }

  /// Reads what the last change set left.
  func read<Result>(
    _ work: (Database) throws -> Result
  ) throws(PhotoLibraryError) -> Result {
    do { return try withDatabase(work) } catch { throw PhotoLibraryError(error, at: path) }
  }
}
