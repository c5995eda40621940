import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// Metadata that do not fit, cannot be read, or occur twice.
@Suite struct CarriedMetadataEdgeTests {
  static let xmpHeader = CarriedMetadata.xmpHeader

  @Test func anExifBlockBeyondOneSegmentIsSplitAsItWas() throws {
    var fixture = ExifFixture(little: true, size: 70_000)
    fixture.directory(
      at: 8,
      [
        .init(0x10E, 2, 69_000, [UInt8](repeating: 66, count: 69_000), at: 500),
        .init(0x112, 3, 1, fixture.short(3)),
      ])
    let pieces = [fixture.bytes[..<65_527], fixture.bytes[65_527...]]
    let header = JPEGStructureTests.header(
      of: JPEGStructureTests.jpeg(pieces.map { (0xE1, CarriedMetadata.exifHeader + $0) }))
    let written = JPEGStructureTests.payloads(header, 0xE1)
    fixture.put(fixture.short(1), at: 8 + 2 + 12 + 8)
    #expect(written.count == 3)
    #expect(written[0] == CarriedMetadata.exifHeader + fixture.bytes[..<65_527])
    #expect(written[1] == CarriedMetadata.exifHeader + fixture.bytes[65_527...])
  }

  @Test func aDamagedExifBlockIsLeftOut() {
    let block = CarriedMetadata.exifHeader + Array("II*\0".utf8) + [255, 255, 0, 0]
    let header = JPEGStructureTests.header(of: JPEGStructureTests.jpeg([(0xE1, block)]))
    #expect(!JPEGStructureTests.payloads(header, 0xE1).contains(block))
    #expect(header.warnings == [.exifUnreadable])
  }

  @Test func aDamagedPacketIsCarriedUnchanged() {
    let packet = Self.xmpHeader + Array("<x:xmpmeta".utf8)
    let header = JPEGStructureTests.header(of: JPEGStructureTests.jpeg([(0xE1, packet)]))
    #expect(JPEGStructureTests.payloads(header, 0xE1) == [packet])
    #expect(header.warnings == [.xmpUnreadable])
  }

  @Test func aFullPacketWithExtendedXMPIsCarriedUnchanged() {
    let empty = XMPPacketTests.description("xmp:Label=\"\"")
    let label = String(repeating: "x", count: XMPPacket.largestPacket - empty.count)
    let packet = Self.xmpHeader + XMPPacketTests.description("xmp:Label=\"\(label)\"")
    let extended = CarriedMetadata.extendedXMPHeader + [UInt8](repeating: 48, count: 40)
    let header = JPEGStructureTests.header(
      of: JPEGStructureTests.jpeg([(0xE1, packet), (0xE1, extended)]))
    #expect(JPEGStructureTests.payloads(header, 0xE1) == [packet, extended])
    #expect(header.warnings == [.xmpFull])
  }

  @Test func onlyTheFirstOfTwoPacketsNamesTheOriginal() {
    let packet = Self.xmpHeader + XMPPacketTests.description("tiff:Orientation=\"6\"")
    let header = JPEGStructureTests.header(
      of: JPEGStructureTests.jpeg([(0xE1, packet), (0xE1, packet)]))
    let packets = JPEGStructureTests.payloads(header, 0xE1).map {
      XMPPacket($0.dropFirst(Self.xmpHeader.count))
    }
    #expect(packets.map { $0?.derivedFrom?.fileName } == ["a.jpg", nil])
    #expect(packets.allSatisfy { $0?.bytes.offset(of: "\"6\"", in: 0..<9999) == nil })
  }

  @Test func aRenderIsRecognizedFromItsHeader() {
    let header = JPEGStructureTests.header(of: JPEGStructureTests.jpeg([]))
    let render = header.bytes + Data(JPEGStructureTests.pixels)
    #expect(XMPPacket.derivedFrom(inJPEG: render)?.manager == "Safelight")
    #expect(XMPPacket.derivedFrom(inJPEG: JPEGStructureTests.jpeg([])) == nil)
  }

  @Test func aPictureWithoutAnyHeaderGetsJFIF() {
    let header = CarriedMetadata().header(
      size: (1, 1), baked: 1, profile: nil, resolution: 300,
      derivedFrom: OriginalReference(fileName: "a", sha256: "0"))
    let expected = Array("JFIF\0".utf8) + [1, 1, 1, 1, 44, 1, 44, 0, 0]
    #expect(JPEGStructureTests.payloads(header, 0xE0) == [expected])
  }
}
