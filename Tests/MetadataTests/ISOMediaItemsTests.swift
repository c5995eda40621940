import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct ISOMediaItemsTests {
  /// A box of a type with content.
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
  }

  private func big(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func infe(_ item: Int, _ type: String, _ content: String = "") -> [UInt8] {
    box(
      "infe",
      [2, 0, 0, 0] + big(item, 2) + [0, 0] + Array(type.utf8) + [0] + Array(content.utf8) + [0])
  }

  /// A file with a picture (1), a depth map (2) and an XMP packet for each, the depth map's first.
  private func file(describing: Bool = true, truncatedBy missing: Int = 0) -> Data {
    let packets = [Array("<depth/>".utf8), Array("<picture/>".utf8)]
    func iloc(at start: Int) -> [UInt8] {
      let entries = [(3, start, packets[0].count), (4, start + packets[0].count, packets[1].count)]
      return box(
        "iloc",
        [0, 0, 0, 0, 0x44, 0x00] + big(entries.count, 2)
          + entries.flatMap { big($0.0, 2) + [0, 0, 0, 1] + big($0.1, 4) + big($0.2, 4) })
    }
    let rdf = "application/rdf+xml"
    let iinf = box(
      "iinf",
      [0, 0, 0, 0] + big(4, 2) + infe(1, "hvc1") + infe(2, "hvc1") + infe(3, "mime", rdf)
        + infe(4, "mime", rdf))
    let cdsc = [(3, 2), (4, 1)].flatMap { box("cdsc", big($0.0, 2) + [0, 1] + big($0.1, 2)) }
    let iref = describing ? box("iref", [0, 0, 0, 0] + cdsc) : []
    func meta(_ start: Int) -> [UInt8] {
      box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + iinf + iref + iloc(at: start))
    }
    let ftyp = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
    let start = ftyp.count + meta(0).count + 8
    let all = ftyp + meta(start) + box("mdat", packets.flatMap(\.self))
    return Data(all.dropLast(missing))
  }

  @Test func findsThePacketThatDescribesThePrimaryPicture() throws {
    let xmp = try #require(ISOMediaItems(file())?.xmp)
    #expect(String(decoding: xmp, as: UTF8.self) == "<picture/>")
  }

  @Test func takesTheFirstPacketWhenNoReferenceSaysMore() throws {
    let xmp = try #require(ISOMediaItems(file(describing: false))?.xmp)
    #expect(String(decoding: xmp, as: UTF8.self) == "<depth/>")
  }

  @Test func aPacketBeyondTheFileIsNone() throws {
    #expect(try #require(ISOMediaItems(file(truncatedBy: 4))).xmp == nil)
  }

  @Test func otherFilesHaveNoItems() {
    #expect(ISOMediaItems(Data([0xFF, 0xD8, 0xFF])) == nil)
    #expect(ISOMediaItems(Data()) == nil)
  }

  @Test(arguments: 0..<30)
  func damagedBoxesNeverTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var bytes = Array(file())
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      let xmp = ISOMediaItems(Data(bytes))?.xmp
      #expect((xmp?.count ?? 0) <= bytes.count)
    }
  }
}
