import Foundation
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct HostileRecordTests {
  @Test func everyTruncationIsRefused() {
    let whole = RecordTests.edited
    // The last two bytes are the end of </plist> and a line end.
    let shortest = (0..<(whole.count - 1)).first {
      (try? Record(parsing: Array(whole[..<$0]))) != nil
    }
    #expect(shortest == nil)
  }

  @Test(
    .timeLimit(.minutes(15)),
    arguments: ["<", "&", "<!--", "<key>", "<a", "\n", "<dict><key>a</key>"])
  func longRepetitionsTakeTimeInProportion(part: String) {
    let text = "<plist>" + String(repeating: part, count: 200_000)
    #expect(throws: RecordError.self) { try Record(parsing: Array(text.utf8)) }
  }
}
