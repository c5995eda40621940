import Foundation
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
