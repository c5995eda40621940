import Dispatch
import Glibc
import SafelightRendering
import Synchronization

/// Threads for work that blocks, such as finding and making pictures, so that Swift's own threads never wait for a decoder
/// or a disk.
///
/// What a program waits for comes before what it may want soon, and else first come, first served. Work that nobody
/// wants any more ends early: its caller gets a `CancellationError` at once, also while the work is being done, and the
/// thread turns to other work when the work has noticed.
package final class WorkQueue: Sendable {
  /// Finds pictures in caches and thumbnails. Takes milliseconds, while other threads make pictures.
  package static let finding = WorkQueue("find", threads: 2)
  /// Makes pictures: in the whole process as many at once as there are cores.
  package static let making = WorkQueue("make", threads: cores)
  /// Makes pictures of which each is decoded for itself and too large to wait for many small ones: as many at once as
  /// there are cores.
  static let alone = WorkQueue("alone", threads: cores)
  /// The number of the computer's cores.
  package static let cores = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)

  /// Work that waits or runs.
  private final class Job: Sendable {
    let cancellation = RenderCancellation()
    /// Does the work and gives its result to the caller.
    let work: @Sendable (RenderCancellation) -> Void
    /// Gives `CancellationError` to the caller, unless the caller has something already.
    let giveUp: @Sendable () -> Void

    init(
      _ work: @escaping @Sendable (RenderCancellation) -> Void,
      giveUp: @escaping @Sendable () -> Void
    ) {
      (self.work, self.giveUp) = (work, giveUp)
    }

    func cancel() {
      cancellation.cancel()
      giveUp()
    }
  }

  private struct State {
    /// What waits, by its urgency. What was cancelled stays in its line, and is passed over.
    var lines = PictureRequest.Urgency.allCases.map { _ in Line<Job>() }
    /// What the threads do.
    var running: [Job?]
    var idle: [Int]
    var isClosed = false
  }

  private let threads: [DispatchQueue]
  private let state: Mutex<State>
  private let newest = NewestPictures()

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - name: A word for the names of its threads.
  ///   - count: The number of its threads.
  package init(_ name: String, threads count: Int = 1) {
    threads = (0..<count).map {
      DispatchQueue(label: "org.safelight.\(name)-\($0)", qos: .userInitiated)
    }
    state = Mutex(
      State(running: [Job?](repeating: nil, count: count), idle: Array(0..<count)))
  }

  /// Does work as soon as a thread is free.
  package func add(
    _ urgency: PictureRequest.Urgency = .requested, _ work: @escaping @Sendable () -> Void
  ) {
    add(Job({ _ in work() }, giveUp: {}), urgency)
  }

  /// Waits until work is done.
  ///
  /// - Parameter kind: What the work makes obsolete; `nil` is nothing.
  /// - Throws: What the work throws; `CancellationError` when newer work overtakes it, the surrounding task
  ///   is cancelled or the queue closed.
  package func run<Result: Sendable>(
    as kind: NewestPictures.Kind? = nil,
    _ work: @escaping @Sendable (RenderCancellation) throws -> Result
  ) async throws -> Result {
    let answer = Answer<Result>()
    let job = Job { cancellation in
      let result = Swift.Result { try work(cancellation) }
      answer.give(cancellation.isCancelled ? .failure(CancellationError()) : result)
    } giveUp: {
      answer.give(.failure(CancellationError()))
    }
    return try await withTaskCancellationHandler {
      let number = kind.flatMap { newest.begin($0) { job.cancel() } }
      defer { if let number { newest.end(number) } }
      return try await withCheckedThrowingContinuation { continuation in
        answer.deliver(to: continuation)
        add(job, .requested)
      }
    } onCancel: {
      job.cancel()
    }
  }

  /// How many calls wait for what is done now.
  var waitingCount: Int {
    state.withLock { state in
      state.lines.flatMap(\.waiting).count { !$0.cancellation.isCancelled }
    }
  }

  private func add(_ job: Job, _ urgency: PictureRequest.Urgency) {
    let (isRefused, thread) = state.withLock { state -> (Bool, Int?) in
      guard !state.isClosed, !job.cancellation.isCancelled else { return (true, nil) }
      state.lines[urgency.rawValue].append(job)
      return (false, state.idle.popLast())
    }
    if isRefused { job.cancel() }
    if let thread { threads[thread].async { self.work(on: thread) } }
  }

  /// Does the work that waits, until there is none.
  private func work(on thread: Int) {
    while let job = next(on: thread) {
      if !job.cancellation.isCancelled { job.work(job.cancellation) }
    }
  }

  private func next(on thread: Int) -> Job? {
    state.withLock { state in
      state.running[thread] = nil
      for line in state.lines.indices {
        guard let job = state.lines[line].popFirst() else { continue }
        state.running[thread] = job
        return job
      }
      state.idle.append(thread)
      return nil
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
      state.lines.flatMap(\.waiting) + state.running.compactMap(\.self)
    }
    for job in jobs { job.cancel() }
  }

  /// Does something on the thread of a queue that has one, after the work that waits and runs now; whether or not the
  /// queue is closed.
  func perform(_ body: @escaping @Sendable () -> Void) { threads[0].async { body() } }

  /// Waits until something is done as by ``perform(_:)``.
  func finish(with body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      perform {
        body()
        continuation.resume()
      }
    }
  }
}

/// The one place in which newer pictures of a viewer overtake older ones.
package final class NewestPictures: Sendable {
  /// What a picture is for, which says what it makes obsolete.
  package enum Kind: Sendable, Equatable {
    /// A preview overtakes those of the same viewer.
    case preview(viewer: String)
    /// A tile overtakes tiles of other edits.
    case tile(EditStack)

    /// Whether a picture of this kind is obsolete once `newer` is asked for.
    fileprivate func isOvertaken(by newer: Kind) -> Bool {
      switch (self, newer) {
      case (.preview(let viewer), .preview(let other)): viewer == other
      case (.tile(let edit), .tile(let other)): edit != other
      default: false
      }
    }
  }

  private struct State {
    var waitedFor: [Int: (kind: Kind, cancel: @Sendable () -> Void)] = [:]
    var numbers = 0
  }

  private let state = Mutex(State())

  /// Notes a picture that the surrounding task asks for, and cancels those that it overtakes.
  ///
  /// - Returns: Its number; `nil` when the task is cancelled. A task that was cancelled on its way here is the older one,
  ///   and overtakes nobody.
  func begin(_ kind: Kind, cancel: @escaping @Sendable () -> Void) -> Int? {
    let (number, overtaken) = state.withLock { state -> (Int?, [@Sendable () -> Void]) in
      guard !Task.isCancelled else { return (nil, []) }
      let overtaken = state.waitedFor.filter { $0.value.kind.isOvertaken(by: kind) }
      for number in overtaken.keys { state.waitedFor[number] = nil }
      state.numbers += 1
      state.waitedFor[state.numbers] = (kind, cancel)
      return (state.numbers, overtaken.values.map(\.cancel))
    }
    for cancel in overtaken { cancel() }
    return number
  }

  /// Forgets a picture.
  ///
  /// - Returns: Whether no newer one has overtaken it.
  @discardableResult
  func end(_ number: Int) -> Bool {
    state.withLock { $0.waitedFor.removeValue(forKey: number) != nil }
  }
}

/// What waits, in the order in which it came.
private struct Line<Element> {
  private var elements: [Element?] = []
  private var first = 0

  mutating func append(_ next: Element) { elements.append(next) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    defer {
      elements[first] = nil
      first += 1
      // Moving the rest to the front now and then costs less than moving it each time.
      if first > 64, first * 2 > elements.count {
        elements.removeFirst(first)
        first = 0
      }
    }
    return elements[first]
  }

  /// What waits.
  var waiting: [Element] { elements[first...].compactMap(\.self) }
}

/// The one answer that a caller gets, the first that is given.
package final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case delivered
  }

  private let state = Mutex(State.empty)

  /// No answer yet.
  package init() {}

  /// Gives an answer; later ones are forgotten.
  package func give(_ result: sending Result<Value, any Error>) {
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
  package func deliver(to continuation: CheckedContinuation<Value, any Error>) {
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
