import FoundationEssentials
import PhotoEditing
import Synchronization

/// Lets the change sets of a process be made one after the other, over one connection.
final class ChangeTurns: Sendable {
  private struct State: Sendable {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var connection: ChangeConnection?
  }

  private let path: FilePath
  private let state = Mutex(State())

  init(_ path: FilePath) { self.path = path }

  /// Does work when its turn comes.
  func inTurn<Outcome: Sendable>(
    _ work: (Database) async throws(PhotoLibraryError) -> Outcome
  ) async throws(PhotoLibraryError) -> Outcome {
    await take()
    defer { leave() }
    return try await work(try connection().database)
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken {
          state.waiting.append(continuation)
          return false
        }
        state.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  private func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      if state.waiting.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }

  private func connection() throws(PhotoLibraryError) -> ChangeConnection {
    if let connection = state.withLock({ $0.connection }) { return connection }
    do {
      let connection = ChangeConnection(try Database(path, .write))
      try Catalogue.prepare(connection.database)
      state.withLock { $0.connection = connection }
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
