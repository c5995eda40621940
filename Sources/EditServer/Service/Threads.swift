import Dispatch
import Glibc
import SafelightRendering
import Synchronization

/// Threads for work that blocks: as many things at once as there are cores, the rest in the order in which it came.
/// Work whose task is cancelled while it waits is not begun.
final class Threads: Sendable {
  private struct State {
    var running = 0
    var waiting: [(id: Int, CheckedContinuation<Bool, Never>)] = []
    var last = 0
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)) { self.limit = limit }

  /// Does work on a thread of its own.
  ///
  /// - Throws: What the work throws; `CancellationError` when the task is cancelled before it begins.
  func run<Result: Sendable>(
    _ work: @escaping @Sendable (RenderCancellation) throws -> Result
  ) async throws -> Result {
    try await waitForTurn()
    defer { endTurn() }
    let cancellation = RenderCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(with: Swift.Result { try work(cancellation) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func waitForTurn() async throws {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.running < limit {
            state.running += 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).1 }
      }
      waiting?.resume(returning: false)
    }
    if !hasTurn { throw CancellationError() }
  }

  private func endTurn() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      if state.waiting.isEmpty {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst().1
    }
    next?.resume(returning: true)
  }
}
