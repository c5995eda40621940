import Foundation
import Testing

@testable import SafelightFormats

@Suite struct ISOMediaFileTests {
  /// A box of a type with content.
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
  }

  private func big(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func infe(_ item: Int, _ type: String, content: String = "") -> [UInt8] {
    box(
      "infe",
      [2, 0, 0, 0] + big(item, 2) + [0, 0] + Array(type.utf8) + [0] + Array(content.utf8) + [0])
  }

  /// A file with a picture (1), a depth map (2) and an XMP packet for each, the depth map's first.
  private func file(describing: Bool = true, truncatedBy missing: Int = 0) -> [UInt8] {
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
      [0, 0, 0, 0] + big(4, 2) + infe(1, "hvc1") + infe(2, "hvc1") + infe(3, "mime", content: rdf)
        + infe(4, "mime", content: rdf))
    let cdsc = [(3, 2), (4, 1)].flatMap { box("cdsc", big($0.0, 2) + [0, 1] + big($0.1, 2)) }
    let iref = describing ? box("iref", [0, 0, 0, 0] + cdsc) : []
    func meta(_ start: Int) -> [UInt8] {
      box("meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + iinf + iref + iloc(at: start))
    }
    let ftyp = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0])
    let start = ftyp.count + meta(0).count + 8
    let all = ftyp + meta(start) + box("mdat", packets.flatMap(\.self))
    return Array(all.dropLast(missing))
  }

  private func media(_ file: [UInt8]) -> ISOMediaFile? {
    ISOMediaFile { offset, count in
      offset >= 0 && offset <= file.count - count ? Array(file[offset..<(offset + count)]) : nil
    }
  }

  private func packet(_ file: [UInt8]) -> String? {
    guard let media = media(file), let item = media.xmpItem else { return nil }
    return media.content(of: item).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func whatDescribesAnotherPictureOnlyIsNotThePrimarys() throws {
    // Items 1 and 2 are pictures, 2 is the primary one, and the only packet describes 1.
    let iinf = box(
      "iinf", [0, 0, 0, 0] + big(3, 2) + infe(1, "hvc1") + infe(2, "hvc1") + infe(3, "Exif"))
    func file(cdsc target: Int?) -> [UInt8] {
      let iref = target.map {
        box("iref", [0, 0, 0, 0] + box("cdsc", big(3, 2) + [0, 1] + big($0, 2)))
      }
      return self.file(box("pitm", [0, 0, 0, 0, 0, 2]) + iinf + (iref ?? []))
    }
    let other = try #require(media(file(cdsc: 1)))
    #expect(other.exifItem == nil && !other.isPrimaryFirst && other.pictureCount == 2)
    #expect(media(file(cdsc: 2))?.exifItem == 3)
    #expect(media(file(cdsc: nil))?.exifItem == 3)
  }

  @Test func framesOfASequenceAreCounted() throws {
    func track(_ handler: String, _ count: Int) -> [UInt8] {
      let sizes = box("stsz", [0, 0, 0, 0] + big(10, 4) + big(count, 4))
      let hdlr = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(handler.utf8))
      return box("trak", box("mdia", hdlr + box("minf", box("stbl", sizes))))
    }
    let movie = box("moov", track("auxv", 40) + track("pict", 12))
    #expect(media(file() + movie)?.frameCount == 12)
    #expect(media(file())?.frameCount == 0)
    #expect(media(file() + movie.dropLast(30))?.frameCount == 0)
  }

  /// A file with nothing but some boxes in its `meta` box.
  private func file(_ boxes: [UInt8]) -> [UInt8] {
    box("ftyp", Array("heic".utf8) + [0, 0, 0, 0]) + box("meta", [0, 0, 0, 0] + boxes)
  }

  @Test func findsThePacketThatDescribesThePrimaryPicture() {
    #expect(packet(file()) == "<picture/>")
    #expect(media(file())?.primaryItem == 1)
    #expect(media(file())?.items.map(\.type) == ["hvc1", "hvc1", "mime", "mime"])
  }

  @Test func takesTheFirstPacketWhenNoReferenceSaysMore() {
    #expect(packet(file(describing: false)) == "<depth/>")
  }

  @Test func aPacketBeyondTheFileIsNone() throws {
    let media = try #require(self.media(file(truncatedBy: 4)))
    #expect(media.content(of: 4) == nil)
  }

  @Test func otherFilesAreNone() {
    #expect(media([0xFF, 0xD8, 0xFF]) == nil)
    #expect(media([]) == nil)
  }

  @Test func aBoxOfSixteenBytesOfHeaderIsRead() throws {
    let boxes = box("pitm", [0, 0, 0, 0, 0, 7])
    let long =
      big(1, 4) + Array("meta".utf8) + big(16 + 4 + boxes.count, 8) + [0, 0, 0, 0] + boxes
    #expect(media(box("ftyp", Array("heic".utf8)) + long)?.primaryItem == 7)
  }

  @Test func theContentOfAnItemInsideOfTheBoxIsRead() throws {
    let iloc = box(
      "iloc",
      [1, 0, 0, 0, 0x44, 0x00] + big(1, 2) + big(5, 2) + big(1, 2) + [0, 0] + big(2, 2) + big(1, 4)
        + big(2, 4) + big(0, 4) + big(1, 4))
    let media = try #require(self.media(file(iloc + box("idat", Array("abc".utf8)))))
    #expect(media.content(of: 5) == Array("bca".utf8))
  }

  @Test(.timeLimit(.minutes(10))) func extentsWithoutBytesEndTheListAndCostNoTime() throws {
    // 2,000 items, each with 65,535 extents whose offset and length take no bytes.
    let entry = big(1, 2) + big(0, 2) + big(65_535, 2)
    let iloc = box(
      "iloc", [0, 0, 0, 0, 0, 0] + big(60_000, 2) + (0..<2000).flatMap { _ in entry })
    #expect(media(file(iloc))?.content(of: 1) == nil)
  }

  @Test(.timeLimit(.minutes(10))) func referencesAreNotBelievedBeyondTheirBox() throws {
    let cdsc = (0..<20_000).flatMap { _ in box("cdsc", big(1, 2) + big(65_535, 2) + big(1, 2)) }
    #expect(media(file(box("iref", [0, 0, 0, 0] + cdsc))) != nil)
  }

  @Test(arguments: [0x3FFF_FFFF_FFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, -1])
  func sumsOfHugeNumbersDoNotOverflow(number: Int) throws {
    // Base offset, extent offset and extent length of 8 bytes each, in the file and inside the box.
    for method in [0, 1] {
      let iloc = box(
        "iloc",
        [1, 0, 0, 0, 0x88, 0x80] + big(1, 2) + big(5, 2) + big(method, 2) + [0, 0] + big(number, 8)
          + big(1, 2) + big(number, 8) + big(number, 8))
      let media = try #require(self.media(file(iloc + box("idat", [1, 2, 3]))))
      #expect(media.content(of: 5) == nil)
    }
  }

  @Test func countsBeyondTheBoxesAreNotBelieved() {
    for name in ["iloc", "iinf", "iref"] {
      #expect(media(file(box(name, [2, 0, 0, 0] + big(-1, 4) + big(-1, 4)))) != nil)
    }
    let ipma = box("ipma", [0, 0, 0, 1] + big(-1, 4) + big(1, 2) + [255, 0x80])
    #expect(media(file(box("iprp", box("ipco", []) + ipma)))?.properties(of: 1).isEmpty == true)
  }
}
