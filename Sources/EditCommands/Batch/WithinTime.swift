import Synchronization

/// Does work that must not take longer than a limit. It is cancelled then, and left alone when it has not ended a moment
/// later: it may wait for a disk that does not answer.
///
/// - Parameters:
///   - limit: `nil` is for ever.
///   - grace: How long work that takes too long may go on to roll back what it is at.
///   - leave: Called with work that is left alone.
/// - Returns: What the work gives, also when it was cancelled; `nil` when it was left alone. Cancelling the surrounding
///   task cancels the work, which is then waited for.
func withinTime<Value: Sendable>(
  _ limit: Duration?, grace: Duration = .seconds(5),
  leaving leave: @escaping @Sendable (Task<Void, Never>) -> Void = { _ in },
  _ work: @escaping @Sendable () async -> Value
) async -> Value? {
  let outcome = Outcome<Value>()
  let task = Task { outcome.settle(await work()) }
  let clock = Task {
    guard let limit else { return }
    try await Task.sleep(for: limit)
    task.cancel()
    try await Task.sleep(for: grace)
    leave(task)
    outcome.settle(nil)
  }
  defer { clock.cancel() }
  return await withTaskCancellationHandler {
    await outcome.value
  } onCancel: {
    task.cancel()
  }
}

/// A value that comes once, from the first of several tasks, and that one task waits for.
private final class Outcome<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value?, Never>)
    case settled(Value?)
  }

  private let state = Mutex(State.open)

  func settle(_ value: Value?) {
    let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      switch state {
      case .settled: return nil
      case .open:
        state = .settled(value)
        return nil
      case .awaited(let continuation):
        state = .settled(value)
        return continuation
      }
    }
    waiting?.resume(returning: value)
  }

  var value: Value? {
    get async {
      await withCheckedContinuation { continuation in
        let settled = state.withLock { state -> Value?? in
          if case .settled(let value) = state { return .some(value) }
          state = .awaited(continuation)
          return nil
        }
        if let settled { continuation.resume(returning: settled) }
      }
    }
  }
}
