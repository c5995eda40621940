import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct JPEGSplicerTests {
  @Test(arguments: [1, 2, 3, 7, 1000])
  func theSplicerTakesChunksOfAnySize(chunk: Int) throws {
    let encoded = [UInt8](
      JPEGStructureTests.jpeg([(0xE0, CarriedMetadata.plainJFIF), (0xE0, [1]), (0xEE, [2])]))
    let header = JPEGStructureTests.header(
      of: JPEGStructureTests.jpeg([(0xFE, [65])], trailer: JPEGStructureTests.samsung([1])))
    var expected = [UInt8](header.bytes)
    expected.append(segment: 0xEE, payload: [2])
    expected += JPEGStructureTests.pixels + JPEGStructureTests.samsung([1])
    #expect(try [UInt8](spliced(encoded, header: header, chunk: chunk)) == expected)
  }

  @Test(
    arguments: [
      ([0x89, 0x50], .notAJPEG), ([0xFF, 0xE0], .notAJPEG), ([], .truncated),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 9], .truncated), ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], .notAJPEG),
    ] as [([UInt8], JPEGSpliceError)])
  func theSplicerRefusesWhatIsNoJPEG(bytes: [UInt8], error: JPEGSpliceError) {
    let header = CarriedMetadata().header(
      size: (1, 1), baked: 1, profile: nil,
      derivedFrom: OriginalReference(fileName: "a", sha256: "0"))
    #expect(throws: error) { try spliced(bytes, header: header, chunk: 1) }
  }

  @Test func anErrorOfTheSinkReachesTheEncoder() {
    var splicer = JPEGSplicer(header: Data([1])) { _ in throw CocoaError(.fileWriteOutOfSpace) }
    #expect(throws: CocoaError.self) {
      try JPEGStructureTests.jpeg([]).withUnsafeBytes { try splicer.write($0) }
    }
  }
}

@Suite struct PNGChunkTests {
  private let exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  /// A PNG of libpng's with more chunks behind its header.
  private func png(with chunks: [UInt8]) throws -> [UInt8] {
    let png = [UInt8](try Data(contentsOf: Fixture.url("gradients/chart.png")))
    #expect(Array(png[..<8]) == PNGChunk.signature)
    // The header chunk is what this writes for its content.
    #expect(PNGChunk.bytes("IHDR", Array(png[16..<29])) == Array(png[8..<33]))
    return png[..<33] + chunks + png[33...]
  }

  @Test func metadataAreReadAgain() throws {
    let profile = [UInt8](try Data(contentsOf: Fixture.url("profiles/srgb.icc")))
    let xmp = XMPPacket.minimal(derivedFrom: .init(fileName: "Düne & Meer.jpg", sha256: "12"))
    let chunks = PNGChunk.metadata(profile: profile, exif: exif, xmp: xmp)
    #expect(Array(chunks[4..<13]) == Array("iCCPicc\0\0".utf8))
    let read = CarriedMetadata(original: Data(try png(with: chunks)))
    #expect(read.profile == Data(profile))
    #expect(read.exif?.bytes == exif)
    #expect(read.xmp?.derivedFrom?.fileName == "Düne & Meer.jpg")
  }

  @Test func withoutMetadataThereIsNothing() {
    #expect(PNGChunk.metadata(profile: nil, exif: nil, xmp: nil).isEmpty)
    #expect(
      PNGChunk.metadata(profile: nil, exif: exif, xmp: nil)
        == [0, 0, 0, 14] + Array("eXIf".utf8) + exif
        + withUnsafeBytes(of: Zlib.checksum(("eXIf".utf8 + exif)[...]).bigEndian, Array.init))
  }
}
