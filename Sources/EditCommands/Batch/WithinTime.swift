import Synchronization

/// Does work that must not take longer than a limit. It is cancelled then, or with the surrounding task, and left alone
/// when it has not ended a moment later: it may wait for a disk that does not answer.
///
/// - Parameters:
///   - limit: `nil` is for ever.
///   - grace: How long work that was cancelled may take to roll back what it is at.
/// - Returns: What the work gives, also when it was cancelled; `nil` when it was left alone.
func withinTime<Value: Sendable>(
  _ limit: Duration?, grace: Duration = .seconds(5),
  _ work: @escaping @Sendable () async -> Value
) async -> Value? {
  let outcome = Outcome<Value>()
  let task = Task { outcome.settle(await work()) }
  @Sendable func leave() async throws {
    task.cancel()
    try await Task.sleep(for: grace)
    outcome.settle(nil)
  }
  let clock = Task {
    guard let limit else { return }
    try await Task.sleep(for: limit)
    try await leave()
  }
  defer { clock.cancel() }
  return await withTaskCancellationHandler {
    await outcome.value
  } onCancel: {
    Task { try await leave() }
  }
}

/// What is settled once, by whoever comes first, and waited for by one.
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
