import Foundation
import SafelightFormats
import Testing

@testable import SafelightMetadata

/// A picture as an encoder writes it: only JFIF, tables and scans.
func bareJPEG(of original: Data) throws -> (bytes: [UInt8], size: (width: Int, height: Int)) {
  let file = PhotoBytes(original)
  let walk = try #require(JPEGSegments(file))
  let scan = try #require(walk.scanOffset)
  var result: [UInt8] = [0xFF, 0xD8]
  result.append(segment: 0xE0, payload: CarriedMetadata.plainJFIF)
  for segment in walk.segments where segment.marker < 0xE0 {
    result.append(segment: segment.marker, payload: original[segment.payload])
  }
  let end = walk.endOfImage(in: file) ?? file.count
  result += original[scan..<end]
  return (result, try #require(walk.frameSize(in: file)))
}

extension CarriedMetadata {
  /// All metadata of a file in memory.
  init(original: Data) { self = CarriedMetadata(original: PhotoBytes(original)).withTrailer() }
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
  func frameSize(in file: PhotoBytes) -> (width: Int, height: Int)? {
    segments.lazy.compactMap { $0.frameSize(file.bytes(at:count:)) }.first
  }
}
