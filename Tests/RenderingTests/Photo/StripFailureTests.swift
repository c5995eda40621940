import Foundation
import SafelightVips
import Synchronization
import Testing

@Suite struct StripFailureTests {
  private final class Begun: Sendable {
    let count = Atomic(0)
  }

  /// Fails at the first strip without a text, once the second has begun, and at the second a moment later with one.
  private struct Failing: StripWorker {
    let begun: Begun

    func begin(_ rows: Range<Int>) { begun.count.add(1, ordering: .sequentiallyConsistent) }

    func work(_ rows: Range<Int>) throws {
      if rows.lowerBound == 0 {
        let end = ContinuousClock.now + .seconds(5)
        while begun.count.load(ordering: .sequentiallyConsistent) < 2, .now < end {
          Thread.sleep(forTimeInterval: 0.001)
        }
        throw VipsError.operation("jpegload", detail: "")
      }
      Thread.sleep(forTimeInterval: 0.05)
      throw VipsError.operation("jpegload", detail: "Premature end of input file")
    }
  }

  /// libvips has one error text for all threads: of two that fail at once, one takes it for both.
  @Test(.enabled(if: Image.concurrency > 1))
  func ofTwoFailuresTheOneWithATextIsThrown() {
    let begun = Begun()
    let error = #expect(throws: VipsError.self) {
      try Image.forEachStrip(of: 20, rows: 10) {
        Failing(begun: begun)
      } deliver: { (_: Void, _) in
      }
    }
    #expect(error == .operation("jpegload", detail: "Premature end of input file"))
  }
}
