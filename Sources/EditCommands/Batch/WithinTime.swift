import PhotoEditing

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
  let answer = Answer<Value?>()
  let task = Task { answer.give(.success(await work())) }
  let clock = Task {
    guard let limit else { return }
    try await Task.sleep(for: limit)
    task.cancel()
    try await Task.sleep(for: grace)
    leave(task)
    answer.give(.success(nil))
  }
  defer { clock.cancel() }
  return await withTaskCancellationHandler {
    // It is given without an error.
    try? await withCheckedThrowingContinuation { answer.deliver(to: $0) }
  } onCancel: {
    task.cancel()
  }
}
