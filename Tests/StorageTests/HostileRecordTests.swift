import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct HostileRecordTests {
  private static let splices = [
    "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<!--", "-->", "<![CDATA[",
    "]]>", "&", "&#x110000;", "&lt;", "<", ">", "<string/>", "\u{0}", "\u{FEFF}", "<!DOCTYPE",
    "<?xml", "\"", "99999999999999999999", "-1",
  ].map { Array($0.utf8) }

  @Test(.timeLimit(.minutes(15)), arguments: [1, 2, 3, 4] as [UInt64], [false, true])
  func mutatedRecordsAreReadOrRefusedAndWhatIsReadIsWrittenBack(
    seed: UInt64, hasVersions: Bool
  ) throws {
    var random = SeededGenerator(seed: seed)
    let whole = hasVersions ? RecordTests.withVersions.encoded() : RecordTests.edited
    var accepted = 0
    for round in 0..<800 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        Self.mutate(&bytes, &random)
      }
      guard let record = try? Record(parsing: bytes) else { continue }
      accepted += 1
      let again = try Record(parsing: record.encoded())
      #expect(again.adjustmentData == record.adjustmentData, "seed \(seed), round \(round)")
      #expect(again.original == record.original, "seed \(seed), round \(round)")
      #expect(again.render == record.render, "seed \(seed), round \(round)")
      #expect(again.files == record.files, "seed \(seed), round \(round)")
    }
    #expect(accepted > 0 && accepted < 800, "seed \(seed)")
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard bytes.count > 1 else { return }
    let position = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 2:
      let end = min(bytes.count, position + Int.random(in: 1...40, using: &random))
      bytes.removeSubrange(position..<end)
    case 3: bytes.insert(contentsOf: splices.randomElement(using: &random)!, at: position)
    default:
      let end = min(bytes.count, position + Int.random(in: 1...200, using: &random))
      bytes.insert(contentsOf: bytes[position..<end], at: position)
    }
  }

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
