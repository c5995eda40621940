import Foundation
import Testing

@testable import SafelightFormats

@Suite struct ZlibTests {
  // Written by Python's zlib: stored, and fixed codes; a real PNG in the oracle tests of Metadata has dynamic ones.
  @Test(arguments: [
    ("eAEBBQD6/2hlbGxvBiwCFQ==", "hello"), ("eNrLSM3JyVcoSi1ITSwBAB5pBLY=", "hello repeat"),
  ])
  func zlibStreamsUnpack(packed: String, text: String) throws {
    let bytes = try #require(Data(base64Encoded: packed))
    #expect(
      Zlib.unpacked([UInt8](bytes), limit: 100).map { String(decoding: $0, as: UTF8.self) } == text)
    #expect(Zlib.unpacked([UInt8](bytes), limit: 4) == nil)
    #expect(Zlib.unpacked([UInt8](bytes.prefix(6)), limit: 100) == nil)
    #expect(Zlib.unpacked([UInt8](bytes)[...], count: text.utf8.count) == Array(text.utf8))
    #expect(Zlib.unpacked([UInt8](bytes)[...], count: text.utf8.count - 1) == nil)
  }

  @Test func whatIsPackedUnpacksToTheSame() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * $0) }
    let packed = Zlib.packed(bytes)
    #expect(Zlib.unpacked(packed[...], count: bytes.count) == bytes)
    #expect(Zlib.unpacked(packed, limit: bytes.count) == bytes)
    #expect(Zlib.unpacked((packed + [0])[...], count: bytes.count) == nil)
  }
}
