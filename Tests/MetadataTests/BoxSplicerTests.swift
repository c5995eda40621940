import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// Metadata in the boxes of AVIF and JPEG XL.
@Suite struct BoxSplicerTests {
  private static let original = OriginalReference(fileName: "a.jpg", sha256: "12")

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var box: [UInt8] = []
    box.append(uint32: content.count + 8)
    return box + Array(type.utf8) + content
  }

  /// What an encoder writes: a picture (1), and an item for XMP (2).
  private var encoded: [UInt8] {
    func infe(_ item: UInt8, _ type: String) -> [UInt8] {
      box("infe", [2, 0, 0, 0, 0, item, 0, 0] + Array("\(type)\0application/rdf+xml\0".utf8))
    }
    func file(_ start: Int) -> [UInt8] {
      var iloc: [UInt8] = [0, 0, 0, 0, 0x44, 0x00, 0, 2]
      for (item, count) in [(1, 6), (2, 4)] {
        iloc.append(uint16: item)
        iloc += [0, 0, 0, 1]
        iloc.append(uint32: item == 1 ? start : start + 6)
        iloc.append(uint32: count)
      }
      let iinf = box("iinf", [0, 0, 0, 0, 0, 2] + infe(1, "av01") + infe(2, "mime"))
      let meta = box(
        "meta", [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1]) + iinf + box("iloc", iloc))
      return box("ftyp", Array("avif\0\0\0\0".utf8)) + meta
    }
    return file(file(0).count + 8) + box("mdat", Array("pixels<x/>".utf8))
  }

  @Test func itemsWithoutMetadataAreNotOfNoLength() throws {
    var request = MetadataRequest()
    request.kept = .nothing
    for metadata in [CarriedMetadata().fulfilling(request, in: .avif), CarriedMetadata()] {
      let blocks = metadata.blocks(
        for: .avif, size: (8, 4), baked: 1, derivedFrom: Self.original)
      let splicer = try #require(AVIFSplicer(encoded, blocks))
      let file = splicer.beginning + encoded[splicer.beginning.count...] + splicer.end
      let media = try #require(ISOMediaFile { file.bytes(at: $0, count: $1) })
      let item = try #require(media.xmpItem)
      let range = try #require(media.ranges(of: item)?.first)
      #expect(range.upperBound == file.count && range.count > 0)
      #expect(Array(file[range]) == blocks.xmp ?? XMPPacket.empty)
      #expect(media.content(of: 1).map { String(decoding: $0, as: UTF8.self) } == "pixels")
    }
  }

  @Test func aJPEGXLOfManyBoxesIsNotSearchedToItsEnd() {
    let signature: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]
    let packet = box("xml ", XMPPacket.minimal(derivedFrom: Self.original))
    func original(boxes: Int) -> OriginalReference? {
      let boxes = (0..<boxes).flatMap { _ in box("free", []) }
      return PhotoBytes(Data(signature + boxes + packet)).originalOfJPEGXL
    }
    #expect(original(boxes: 10)?.fileName == "a.jpg")
    #expect(original(boxes: 300) == nil)
  }
}
