import Foundation
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

@Suite struct PNGSplicerTests {
  private func spliced(
    _ png: [UInt8], profile: [UInt8]? = nil, exif: [UInt8]?, step: Int
  ) throws -> [UInt8] {
    var result: [UInt8] = []
    try withUnsafeMutablePointer(to: &result) { result in
      var splicer = PNGSplicer(profile: profile, exif: exif) { result.pointee += $0 }
      for start in stride(from: 0, to: png.count, by: step) {
        try Array(png[start..<min(start + step, png.count)]).withUnsafeBytes { bytes in
          try splicer.write(bytes)
        }
      }
    }
    return result
  }

  @Test(arguments: [1, 7, 33, 34, 4096])
  func exifStandsBehindTheHeaderWhateverTheChunks(step: Int) throws {
    let png = [UInt8](try Data(contentsOf: Fixture.url("gradients/chart.png")))
    let exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let result = try spliced(png, exif: exif, step: step)
    #expect(Array(result[..<33]) == Array(png[..<33]))
    #expect(Array(result[33..<41]) == [0, 0, 0, 14] + Array("eXIf".utf8))
    #expect(Array(result[41..<55]) == exif)
    #expect(Array(result[59...]) == Array(png[33...]))
    #expect(CarriedMetadata(original: Data(result)).exif?.bytes == exif)
  }

  @Test func theProfileStandsBeforeExifAndIsReadAgain() throws {
    let png = [UInt8](try Data(contentsOf: Fixture.url("gradients/chart.png")))
    let profile = [UInt8](try Data(contentsOf: Fixture.url("profiles/srgb.icc")))
    let exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let result = try spliced(png, profile: profile, exif: exif, step: 7)
    #expect(Array(result[37..<46]) == Array("iCCPicc\0\0".utf8))
    let read = CarriedMetadata(original: Data(result))
    #expect(read.profile == Data(profile))
    #expect(read.exif?.bytes == exif)
  }

  @Test func withoutExifNothingChanges() throws {
    let png = [UInt8](try Data(contentsOf: Fixture.url("gradients/chart.png")))
    #expect(try spliced(png, exif: nil, step: 100) == png)
  }
}
