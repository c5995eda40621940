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

  @Test(arguments: [Duration.milliseconds(20), nil])
  func workThatDoesNotEndIsLeftAlone(limit: Duration?) async {
    let release = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let task = Task {
      await withinTime(limit, grace: .milliseconds(20)) {
        await withCheckedContinuation { continuation in release.withLock { $0 = continuation } }
        return 7
      }
    }
    while release.withLock({ $0 == nil }) { await Task.yield() }
    if limit == nil { task.cancel() }
    #expect(await task.value == nil)
    release.withLock { $0?.resume() }
  }
}
