import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct PNGSplicerTests {
  private func spliced(_ png: [UInt8], exif: [UInt8]?, step: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    try withUnsafeMutablePointer(to: &result) { result in
      var splicer = PNGSplicer(exif: exif) { result.pointee += $0 }
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

  @Test func withoutExifNothingChanges() throws {
    let png = [UInt8](try Data(contentsOf: Fixture.url("gradients/chart.png")))
    #expect(try spliced(png, exif: nil, step: 100) == png)
  }
}
