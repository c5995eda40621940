import SafelightCZlib

/// Puts an Exif chunk into a PNG while an encoder is still writing it.
///
/// libvips 8.14 writes Exif through libexif, which loses things, and writes it twice. Source: PNG
/// specification, third edition, `eXIf`; it stands anywhere between the header and the pixels.
package struct PNGSplicer {
  /// Receives the bytes in order.
  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  /// The signature and the header chunk, which are always the first.
  private static let headerSize = 8 + 25

  private let chunk: [UInt8]
  private let sink: Sink
  private var passed = 0

  /// - Parameters:
  ///   - exif: A TIFF structure without the `Exif` header; nil leaves the PNG as it is.
  ///   - sink: Where the finished file goes; its errors are passed on.
  package init(exif: [UInt8]?, sink: @escaping Sink) {
    chunk = exif.map(Self.chunk) ?? []
    self.sink = sink
  }

  /// Takes the encoder's next bytes.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    let before = min(max(Self.headerSize - passed, 0), bytes.count)
    if before > 0 { try sink(UnsafeRawBufferPointer(rebasing: bytes[..<before])) }
    if before > 0, passed + before == Self.headerSize { try chunk.withUnsafeBytes(sink) }
    passed += bytes.count
    if before < bytes.count { try sink(UnsafeRawBufferPointer(rebasing: bytes[before...])) }
  }

  private static func chunk(_ exif: [UInt8]) -> [UInt8] {
    var body = Array("eXIf".utf8)
    body += exif
    var chunk: [UInt8] = []
    chunk.append(uint32: exif.count)
    chunk += body
    chunk.append(uint32: Int(crc32(0, body, UInt32(body.count))))
    return chunk
  }
}
