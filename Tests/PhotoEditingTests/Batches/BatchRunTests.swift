import SafelightTestSupport
import Synchronization
import Testing

@testable import PhotoEditing

@Suite struct BatchRunTests {
  /// Counts what is worked on at once.
  private final class Crowd: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    func enter() {
      counts.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
    var most: Int { counts.withLock(\.most) }
  }

  @Test(arguments: [1, 2, 5])
  func soManyAreWorkedOnAtOnceAndEachOnce(atOnce: Int) async {
    let crowd = Crowd()
    var begun: [Int] = []
    var noted: [Int] = []
    await BatchRun(of: 40, atOnce: atOnce).run { index in
      begun.append(index)
    } work: { index in
      crowd.enter()
      try? await Task.sleep(for: .milliseconds(index % 3))
      crowd.leave()
      return index * 2
    } note: { index, result in
      #expect(result == index * 2)
      noted.append(index)
      return true
    }
    #expect(begun == Array(0..<40))
    #expect(noted.sorted() == begun)
    #expect(crowd.most <= atOnce)
  }

  @Test func afterTheResultThatEndsItNoneIsBegun() async {
    var begun = 0
    await BatchRun(of: 10, atOnce: 1).run { _ in
      begun += 1
    } work: { index in
      index
    } note: { index, _ in
      index < 3
    }
    #expect(begun == 4)
  }

  @Test func cancellingEndsTheWorkInHandAndBeginsNoOther() async {
    let begun = Mutex(0)
    let task = Task {
      await BatchRun(of: 10, atOnce: 2).run { _ in
        begun.withLock { $0 += 1 }
      } work: { _ in
        try? await Task.sleep(for: .seconds(600))
        return Task.isCancelled
      } note: { _, isCancelled in
        #expect(isCancelled)
        return true
      }
    }
    while begun.withLock({ $0 }) < 2 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(begun.withLock { $0 } == 2)
  }

  /// The first photo takes as long as it likes; the results of those behind it do not fill the memory.
  @Test func noneIsBegunFarBehindOneThatIsNotFinished() {
    var turns = PhotoTurns(5000, NameOrder())
    #expect(turns.next() == 0)
    var last = 0
    while let index = turns.next() {
      last = index
      turns.finish(index)
    }
    #expect(last == PhotoTurns.window - 1)
    turns.finish(0)
    while let index = turns.next() {
      last = index
      turns.finish(index)
    }
    #expect(last == 4999)
  }
}
