import PhotoEditing
import Synchronization

/// A catalog as it was at one moment, for as long as anybody refers to it.
///
/// A connection of its own with an open read transaction: what others write meanwhile does not show.
/// Fetch results read their pages from it when they are asked for, from whatever thread.
final class Snapshot: Sendable {
  /// The token of the last change set that it sees; 0 before the first.
  let token: Int64
  let path: FilePath
  /// What a client might see and do then.
  let access: Access
  private let database: Mutex<Database>

  /// Takes a snapshot of a catalog, for a client.
  init(_ path: FilePath, _ client: Client = .owner) throws(PhotoLibraryError) {
    self.path = path
    do {
      let database = try Database(path, .read)
      try database.run(script: "PRAGMA cache_size = -8192; BEGIN")
      try database.addTextMatches()
      // A read transaction begins with the first thing that is read.
      token = try database.value("SELECT coalesce(max(token), 0) FROM change") ?? 0
      access = try Access(client, in: database)
      self.database = Mutex(database)
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  /// Reads from it; one thread at a time.
  func read<Result>(
    _ work: (Database) throws(DatabaseError) -> sending Result
  ) throws(PhotoLibraryError) -> sending Result {
    do {
      return try database.withLock { (database) throws(DatabaseError) in try work(database) }
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }
}

/// Hands out snapshots of the present: the same one until somebody writes.
final class Snapshots: Sendable {
  private struct State {
    /// Sees what is written by whomever.
    let watcher: Database
    weak var last: Snapshot?
  }

  let path: FilePath
  private let client: Client
  private let state: Mutex<State>

  init(_ path: FilePath, _ client: Client) throws(PhotoLibraryError) {
    (self.path, self.client) = (path, client)
    do {
      state = Mutex(State(watcher: try Database(path, .read)))
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }

  /// The catalog as it is now.
  func now() throws(PhotoLibraryError) -> Snapshot {
    let (path, client) = (path, client)
    return try state.withLock { (state) throws(PhotoLibraryError) in
      let token: Int64
      do throws(DatabaseError) {
        token = try state.watcher.value("SELECT coalesce(max(token), 0) FROM change") ?? 0
      } catch {
        throw PhotoLibraryError(error, path)
      }
      if let last = state.last, last.token == token { return last }
      let snapshot = try Snapshot(path, client)
      state.last = snapshot
      return snapshot
    }
  }

  /// What tells whether folders came or left since it was asked last.
  func folders() throws(PhotoLibraryError) -> [Int64] {
    let path = path
    return try state.withLock { (state) throws(PhotoLibraryError) in
      do throws(DatabaseError) {
        return try state.watcher.rows(
          """
          SELECT id FROM folder WHERE isRoot = 1
          UNION ALL SELECT * FROM (SELECT coalesce(max(id), 0) FROM folder)
          """
        ) { $0[0] as Int64 }
      } catch {
        throw PhotoLibraryError(error, path)
      }
    }
  }
}
