import Dispatch
import SafelightRendering
import Synchronization
import Testing

@testable import PhotoEditing

/// The newest picture wins, and pictures come in order.
@Suite struct WorkQueueTests {
  private let queue = WorkQueue("test")

  /// Work that goes on until a test lets it end, or until it is cancelled.
  private final class Gate: Sendable {
    private let begun = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// The work: says that it runs, and waits.
    func pass(_ cancellation: RenderCancellation) throws {
      try cancellation.watch { [opened] in opened.signal() }
      defer { cancellation.watchNothing() }
      begun.signal()
      opened.wait()
      if cancellation.isCancelled { throw CancellationError() }
    }

    func open() { opened.signal() }

    /// Waits until the work runs.
    func waitUntilReached() async {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [begun] in
          begun.wait()
          continuation.resume()
        }
      }
    }
  }

  /// What came, in its order.
  private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock(\.self) }

    func add(_ number: Int) { state.withLock { $0.append(number) } }
  }

  /// Waits until so many calls wait in the queue.
  private func waitUntil(_ count: Int, wait queue: WorkQueue) async {
    while queue.waitingCount < count { await Task.yield() }
  }

  @Test func theNewestPreviewWins() async throws {
    let gate = Gate()
    let queue = queue
    let running = Task {
      try await queue.run(as: .preview(viewer: "a")) {
        try gate.pass($0)
        return 1
      }
    }
    await gate.waitUntilReached()
    // A tile is in the way, so that previews wait.
    let tileGate = Gate()
    let tile = Task {
      try await queue.run(as: .tile(EditStack())) {
        try tileGate.pass($0)
        return 2
      }
    }
    await waitUntil(1, wait: queue)
    let waiting = Task { try await queue.run(as: .preview(viewer: "a")) { _ in 3 } }
    // The running one is overtaken, and ends although nobody opens its gate.
    await #expect(throws: CancellationError.self) { try await running.value }
    await tileGate.waitUntilReached()
    let newest = Task { try await queue.run(as: .preview(viewer: "a")) { _ in 4 } }
    // The waiting one is overtaken before anything else happens.
    await #expect(throws: CancellationError.self) { try await waiting.value }
    tileGate.open()
    #expect(try await tile.value == 2)
    #expect(try await newest.value == 4)
  }

  /// Tasks do not begin in the order in which they are made.
  @Test func aTaskThatIsCancelledBeforeItAsksOvertakesNobody() async throws {
    let gate = Gate()
    let queue = queue
    let newest = Task {
      try await queue.run(as: .preview(viewer: "a")) {
        try gate.pass($0)
        return 2
      }
    }
    await gate.waitUntilReached()
    let old = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await queue.run(as: .preview(viewer: "a")) { _ in 1 }
    }
    old.cancel()
    await #expect(throws: CancellationError.self) { try await old.value }
    gate.open()
    #expect(try await newest.value == 2)
  }

  @Test func viewersDoNotOvertakeEachOther() async throws {
    let gate = Gate()
    let queue = queue
    let running = Task { try await queue.run(as: .preview(viewer: "a")) { try gate.pass($0) } }
    await gate.waitUntilReached()
    let other = Task { try await queue.run(as: .preview(viewer: "b")) { _ in 2 } }
    await waitUntil(1, wait: queue)
    gate.open()
    try await running.value
    #expect(try await other.value == 2)
  }

  @Test func tilesOfOneEditComeInOrder() async throws {
    let gate = Gate()
    let order = Order()
    let queue = queue
    var tasks = [Task { try await queue.run(as: .tile(EditStack())) { try gate.pass($0) } }]
    await gate.waitUntilReached()
    for number in 0..<5 {
      tasks.append(
        Task {
          try await queue.run(as: .tile(EditStack())) { _ in order.add(number) }
        })
      await waitUntil(number + 1, wait: queue)
    }
    gate.open()
    for task in tasks { try await task.value }
    #expect(order.numbers == [0, 1, 2, 3, 4])
  }

  @Test func tilesOfAnotherEditOvertake() async throws {
    let gate = Gate()
    let queue = queue
    let old = Task { try await queue.run(as: .tile(EditStack())) { try gate.pass($0) } }
    await gate.waitUntilReached()
    let edit = try EditStack([Adjustments.Invert()])
    #expect(try await queue.run(as: .tile(edit)) { _ in true })
    await #expect(throws: CancellationError.self) { try await old.value }
  }

  @Test func aCancelledTaskEndsItsPicture() async throws {
    let gate = Gate()
    let queue = queue
    let running = Task { try await queue.run(as: .preview(viewer: "a")) { try gate.pass($0) } }
    await gate.waitUntilReached()
    let waiting = Task { try await queue.run(as: .tile(EditStack())) { _ in } }
    await waitUntil(1, wait: queue)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(queue.waitingCount == 0)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    // The queue goes on.
    #expect(try await queue.run(as: .preview(viewer: "a")) { _ in 5 } == 5)
  }

  @Test func nothingRunsAfterClosing() async throws {
    let gate = Gate()
    let queue = queue
    let running = Task { try await queue.run(as: .preview(viewer: "a")) { try gate.pass($0) } }
    await gate.waitUntilReached()
    queue.close()
    await #expect(throws: CancellationError.self) { try await running.value }
    await #expect(throws: CancellationError.self) {
      try await queue.run(as: .preview(viewer: "a")) { _ in Issue.record("It ran.") }
    }
  }
}
