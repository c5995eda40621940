import Foundation
import SafelightFiles
import SafelightMetadata
import SafelightTestSupport
import Testing

@testable import SafelightRendering

/// JPEGs whose header has no height.
@Suite struct LateHeightTests {
  /// A JPEG without a height whose scan is so many bytes of fill, and what follows them.
  private func kind(scan count: Int, _ end: [UInt8]) throws -> String? {
    let head: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0,
      63,
      0,
    ]
    let bytes = head + [UInt8](repeating: 0xFF, count: count - head.count) + end
    let folder = TemporaryFolder()
    try Data(bytes).write(to: folder["a.jpg"].fileURL)
    let file = try FileSystem.real.openForReading(folder["a.jpg"])
    let header = PhotoBytes(file, size: bytes.count)
    return UnsupportedPhoto.jpeg(header)?.kind
  }

  /// The file is read in pieces of a megabyte.
  @Test(arguments: [4000, 1 << 20, (1 << 20) - 1, (1 << 20) - 2, (1 << 20) - 3])
  func aHeightBehindTheScanIsFound(place: Int) throws {
    #expect(try kind(scan: place, [0xFF, 0xDC, 0, 4, 0, 16])?.contains("DNL") == true)
  }

  @Test func aFileWithoutAHeightIsLeftToItsDecoder() throws {
    #expect(try kind(scan: 2 << 20, [0xFF, 0xDC, 0]) == nil)
    #expect(try kind(scan: 2 << 20, [0xFF, 0xD9]) == nil)
  }
}
