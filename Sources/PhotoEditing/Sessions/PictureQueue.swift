import Dispatch
import SafelightRendering
import Synchronization

/// The pictures that a session was asked for: one is made at a time, on a thread of the queue's own, in
/// the order in which they were asked for. Those that nobody wants any more end early.
///
/// A call that is overtaken throws `CancellationError` at once, also while its picture is being made. The
/// thread turns to the next picture when the work has noticed.
final class PictureQueue: Sendable {
  /// What a picture is for, which says what it makes obsolete.
  enum Kind: Sendable, Equatable {
    /// The photo is opened, which nothing overtakes.
    case opening
    /// A preview overtakes those of the same viewer.
    case preview(viewer: String)
    /// A tile overtakes tiles of other edits.
    case tile(EditStack)

    /// Whether a picture of this kind is obsolete once `newer` is asked for.
    func isOvertaken(by newer: Kind) -> Bool {
      switch (self, newer) {
      case (.preview(let viewer), .preview(let other)): viewer == other
      case (.tile(let edit), .tile(let other)): edit != other
      default: false
      }
    }
  }

  /// Work that waits or runs.
  private final class Job: Sendable {
    let kind: Kind
    let cancellation = RenderCancellation()
    /// Does the work and gives its result to the caller.
    let work: @Sendable (RenderCancellation) -> Void
    /// Gives `CancellationError` to the caller, unless the caller has something already.
    let giveUp: @Sendable () -> Void

    init(
      _ kind: Kind, work: @escaping @Sendable (RenderCancellation) -> Void,
      giveUp: @escaping @Sendable () -> Void
    ) {
      (self.kind, self.work, self.giveUp) = (kind, work, giveUp)
    }

    func cancel() {
      cancellation.cancel()
      giveUp()
    }
  }

  private struct State {
    var waiting: [Job] = []
    var running: Job?
    var isDraining = false
    var isClosed = false
  }

  private let thread: DispatchQueue
  private let state = Mutex(State())

  /// An empty queue.
  ///
  /// - Parameter label: The name of its thread.
  init(label: String) {
    thread = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Waits until work is done, and overtakes older work.
  ///
  /// - Throws: What the work throws; `CancellationError` when newer work overtakes it, the surrounding task
  ///   is cancelled or the queue closed.
  func run<Result: Sendable>(
    as kind: Kind, _ work: @escaping @Sendable (RenderCancellation) throws -> Result
  ) async throws -> Result {
    let answer = Answer<Result>()
    let job = Job(kind) { cancellation in
      let result = Swift.Result { try work(cancellation) }
      answer.give(cancellation.isCancelled ? .failure(CancellationError()) : result)
    } giveUp: {
      answer.give(.failure(CancellationError()))
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.deliver(to: continuation)
        add(job)
      }
    } onCancel: {
      state.withLock { state in state.waiting.removeAll { $0 === job } }
      job.cancel()
    }
  }

  /// How many calls wait for the picture that is made now.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  private func add(_ job: Job) {
    let (overtaken, begins) = state.withLock { state in
      // A task that was cancelled on its way here is the older one, and overtakes nobody.
      guard !state.isClosed, !job.cancellation.isCancelled else { return ([job], false) }
      var overtaken = state.waiting.filter { $0.kind.isOvertaken(by: job.kind) }
      state.waiting.removeAll { $0.kind.isOvertaken(by: job.kind) }
      if let running = state.running, running.kind.isOvertaken(by: job.kind) {
        overtaken.append(running)
      }
      state.waiting.append(job)
      defer { state.isDraining = true }
      return (overtaken, !state.isDraining)
    }
    for job in overtaken { job.cancel() }
    if begins { thread.async { self.drain() } }
  }

  /// Does the work that waits, until there is none.
  private func drain() {
    while let job = next() {
      if job.cancellation.isCancelled { continue }
      job.work(job.cancellation)
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      state.running = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      if state.running == nil { state.isDraining = false }
      return state.running
    }
  }

  /// Cancels all that waits or runs, and everything that comes.
  func close() {
    state.withLock { $0.isClosed = true }
    cancelAll()
  }

  /// Cancels all that waits or runs.
  func cancelAll() {
    let jobs = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting + [state.running].compactMap(\.self)
    }
    for job in jobs { job.cancel() }
  }

  /// Does something on the queue's thread, after the work that runs now; whether or not the queue is
  /// closed.
  func perform(_ body: @escaping @Sendable () -> Void) {
    thread.async { body() }
  }

  /// Waits until something is done on the queue's thread, after the work that runs now.
  func finish(with body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      perform {
        body()
        continuation.resume()
      }
    }
  }
}

/// The one answer that a caller gets, the first that is given.
private final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case delivered
  }

  private let state = Mutex(State.empty)

  /// Gives an answer; later ones are forgotten.
  func give(_ result: sending Result<Value, any Error>) {
    let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .empty: state = .given(result)
      case .awaited(let continuation):
        state = .delivered
        return continuation
      case .given, .delivered: break
      }
      return nil
    }
    continuation?.resume(with: result)
  }

  /// Sends the answer to a caller, as soon as there is one.
  func deliver(to continuation: CheckedContinuation<Value, any Error>) {
    let result: Result<Value, any Error>? = state.withLock { state in
      if case .given(let result) = state {
        state = .delivered
        return result
      }
      state = .awaited(continuation)
      return nil
    }
    if let result { continuation.resume(with: result) }
  }
}
