import PhotoEditing
import Synchronization
import Testing

@testable import SafelightEditCommands

@Suite struct BatchProgressTests {
  private func progress(done: Int, of total: Int, failed: Int = 0) -> BatchProgress {
    var progress = BatchProgress(total: total)
    progress.current = "holiday/beach.jpg"
    for index in 0..<done {
      progress.add(
        index < failed
          ? .failed("x", .folder("x"))
          : PhotoReport(photo: "x", outcome: .success(.skipped(because: "")), milliseconds: 0))
    }
    return progress
  }

  @Test(arguments: [
    (100, "[###---------------------------] 20/200  4.0/s  45 s left  1 failed  beach.jpg"),
    (80, "[##--------------------] 20/200  4.0/s  45 s left  1 failed  beach.jpg"),
    (50, "[-------] 20/200  4.0/s  45 s left  1 failed"),
    (40, "[#----------] 20/200  1 failed  bea….jpg"),
    (20, "[------] 20/200"), (9, "20/200"), (3, "20/"), (0, ""),
  ])
  func theBarFitsTheTerminal(columns: Int, bar: String) {
    let shown = progress(done: 20, of: 200, failed: 1).bar(columns: columns, after: .seconds(5))
    #expect(shown.columns <= columns)
    #expect(shown == bar)
  }

  @Test(arguments: 0...120)
  func noWidthIsEverExceeded(columns: Int) {
    for (done, total) in [(0, 0), (0, 1), (1, 1), (99_999, 100_000)] {
      var progress = progress(done: min(done, 50), of: total, failed: min(done, 3))
      progress.current = "日本語の写真\u{1B}[31mx.jpg"
      let bar = progress.bar(columns: columns, after: .seconds(3))
      #expect(bar.columns <= columns)
      #expect(!bar.contains("\u{1B}"))
    }
  }

  @Test(arguments: [
    (0.2, "1 s"), (59, "59 s"), (60, "1:00"), (185.5, "3:06"), (7800, "2:10:00"),
  ])
  func timesReadLikeAClock(seconds: Double, text: String) {
    #expect(BatchProgress.time(seconds) == text)
  }

  @Test func aLineSaysItInWords() {
    #expect(
      progress(done: 20, of: 200, failed: 2).line(after: .seconds(40))
        == "20 of 200 photos, 0.5/s, 6:00 left, 2 failed")
    #expect(progress(done: 0, of: 2).line(after: .seconds(40)) == "0 of 2 photos")
  }

  @Test func theBarGivesWayToLinesAndComesBack() {
    let written = Mutex("")
    let terminal = ProgressTerminal(
      columns: { 60 }, write: { text in written.withLock { $0 += text } })
    let display = ProgressDisplay(on: terminal)
    display.show(progress(done: 1, of: 2))
    display.clear()
    display.clear()
    display.show(progress(done: 2, of: 2))
    let bars = written.withLock { $0 }.split(separator: "\r")
    #expect(bars.count == 3)
    #expect(bars[0].contains("1/2") && bars[0].hasSuffix("\u{1B}[K"))
    #expect(bars[1] == "\u{1B}[K")
    #expect(bars[2].contains("2/2"))
  }

  @Test func withoutATerminalNothingIsSaidAtOnce() {
    let written = Mutex("")
    let file = ProgressTerminal(
      columns: { nil }, write: { text in written.withLock { $0 += text } })
    let display = ProgressDisplay(on: file)
    display.show(progress(done: 1, of: 2))
    display.clear()
    #expect(written.withLock { $0 } == "")
    #expect(display.interval == .seconds(5))
    #expect(ProgressDisplay(on: nil).interval == nil)
  }
}
