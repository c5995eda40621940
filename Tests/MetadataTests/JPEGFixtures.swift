import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// A picture as an encoder writes it: only JFIF, tables and scans.
func bareJPEG(of original: Data) throws -> (bytes: [UInt8], size: (width: Int, height: Int)) {
  try original.withUnsafeBytes { bytes in
    let walk = try #require(JPEGSegments(bytes))
    let scan = try #require(walk.scanOffset)
    var result: [UInt8] = [0xFF, 0xD8]
    result.append(segment: 0xE0, payload: CarriedMetadata.plainJFIF)
    for segment in walk.segments where segment.marker < 0xE0 {
      result.append(segment: segment.marker, payload: bytes[segment.payload])
    }
    let end = walk.endOfImage(in: bytes) ?? bytes.count
    result += bytes[scan..<end]
    return (result, try #require(walk.frameSize(in: bytes)))
  }
}

/// The splicer's output for an encoder's bytes, in chunks of a size.
func spliced(_ pixels: [UInt8], header: CarriedHeader, chunk: Int) throws -> Data {
  var result = Data()
  var splicer = JPEGSplicer(header: header.bytes, trailer: header.trailer) {
    result.append(contentsOf: $0)
  }
  for start in stride(from: 0, to: pixels.count, by: chunk) {
    try pixels[start..<min(start + chunk, pixels.count)].withUnsafeBytes { try splicer.write($0) }
  }
  try splicer.finish()
  return result
}

extension JPEGSegments {
  /// Width and height from the frame header; nil when there is none.
  func frameSize(in bytes: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
    segments.lazy.compactMap { $0.frameSize(bytes.bytes(at:count:)) }.first
  }
}
