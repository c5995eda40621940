import Synchronization
import Testing

@testable import SafelightEditCommands

@Suite struct WithinTimeTests {
  @Test func workInTimeGivesItsValue() async {
    #expect(await withinTime(.seconds(60)) { 7 } == 7)
    #expect(await withinTime(nil) { 7 } == 7)
  }

  @Test func workThatTakesTooLongIsCancelled() async {
    let isCancelled = await withinTime(.milliseconds(20)) {
      try? await Task.sleep(for: .seconds(600))
      return Task.isCancelled
    }
    #expect(isCancelled == true)
  }

  @Test func workThatDoesNotEndIsLeftAlone() async {
    let release = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let left = Mutex<[Task<Void, Never>]>([])
    let value = await withinTime(.milliseconds(20), grace: .milliseconds(20)) { task in
      left.withLock { $0.append(task) }
    } _: {
      await withCheckedContinuation { continuation in release.withLock { $0 = continuation } }
      return 7
    }
    #expect(value == nil)
    let tasks = left.withLock(\.self)
    #expect(tasks.count == 1)
    release.withLock { $0?.resume() }
    for task in tasks { await task.value }
  }

  @Test func workOfACancelledTaskIsCancelledAndWaitedFor() async {
    let hasBegun = Mutex(false)
    let task = Task {
      await withinTime(.seconds(600), grace: .zero) {
        hasBegun.withLock { $0 = true }
        try? await Task.sleep(for: .seconds(600))
        return Task.isCancelled
      }
    }
    while !hasBegun.withLock(\.self) { await Task.yield() }
    task.cancel()
    #expect(await task.value == true)
  }
}
