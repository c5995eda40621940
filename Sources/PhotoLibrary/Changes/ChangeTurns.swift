import FoundationEssentials
import PhotoEditing
import Synchronization

/// Lets the change sets of a process be made one after the other, over one connection.
final class ChangeTurns: Sendable {
  private let path: FilePath
  private let originals: FilePath
  private let writing = Turn()
  private let moving = Turn()
  private let opened = Mutex<ChangeConnection?>(nil)

  /// - Parameters:
  ///   - path: The catalog's file.
  ///   - originals: The library's folder of originals.
  init(_ path: FilePath, originals: FilePath) {
    (self.path, self.originals) = (path, originals)
  }

  /// Writes to the catalog when its turn comes.
  func inTurn<Outcome: Sendable>(
    _ work: (Database) async throws(PhotoLibraryError) -> Outcome
  ) async throws(PhotoLibraryError) -> Outcome {
    await writing.take()
    defer { writing.leave() }
    return try await work(try connection().database)
  }

  /// Does work while nobody else moves the library's files, in this process or another; `inTurn` may
  /// be called from it.
  func movingFiles<Outcome: Sendable>(
    _ work: () async throws(PhotoLibraryError) -> Outcome
  ) async throws(PhotoLibraryError) -> Outcome {
    // Only one of them keeps a thread waiting for other processes.
    await moving.take()
    defer { moving.leave() }
    let lock = try OriginalsLock(originals, waiting: true)
    defer { lock?.release() }
    return try await work()
  }

  private func connection() throws(PhotoLibraryError) -> ChangeConnection {
    if let connection = opened.withLock({ $0 }) { return connection }
    do {
      let connection = ChangeConnection(try Database(path, .write))
      try Catalog.prepare(connection.database)
      opened.withLock { $0 = connection }
      return connection
    } catch {
      throw PhotoLibraryError(error, path)
    }
  }
}

/// A connection that only whoever has the turn uses, from whatever thread.
private final class ChangeConnection: @unchecked Sendable {
  let database: Database
  init(_ database: Database) { self.database = database }
}
