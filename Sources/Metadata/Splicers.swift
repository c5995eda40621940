import FoundationEssentials
import SafelightFormats

/// Why an encoder's bytes could not be given a new header.
package enum JPEGSpliceError: Error, Equatable, CustomStringConvertible {
  /// The stream does not begin as a JPEG does; nothing was written.
  case notAJPEG
  /// The stream ended inside its header; nothing was written.
  case truncated

  package var description: String {
    switch self {
    case .notAJPEG: "The encoder's output does not begin with a JPEG marker."
    case .truncated: "The encoder's output ended before its first table."
    }
  }
}

/// Replaces the header of a JPEG while an encoder is still writing it.
///
/// The encoder's SOI and APP0 segments are dropped, the header given is written instead, and
/// everything that follows passes through unchanged. Chunks may have any size.
package struct JPEGSplicer {
  /// Receives the bytes in order.
  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  private let header: Data
  private let further: [Data]
  private let trailer: Data
  private let sink: Sink
  /// The first picture, where others follow: their list stands in it, and tells how long it is.
  private var first = Data()
  /// Bytes of the encoder's header that are not yet understood: SOI, or the start of a marker.
  private var pending: [UInt8] = []
  private var sawStart = false
  /// Bytes of a dropped APP0 that are still to come.
  private var skip = 0
  private var isPassing = false

  /// - Parameters:
  ///   - header: Everything from SOI to just before the first table, as ``CarriedHeader`` has it.
  ///   - further: JPEGs that follow the encoder's in the file, which then has a list of all of them. The encoder's
  ///     bytes are kept until its last.
  ///   - trailer: Bytes to write after all pictures.
  ///   - sink: Where the finished file goes; its errors are passed on.
  package init(
    header: Data, further: [Data] = [], trailer: Data = Data(), sink: @escaping Sink
  ) {
    self.header = header
    self.further = further
    self.trailer = trailer
    self.sink = sink
  }

  /// Takes the encoder's next bytes.
  ///
  /// - Throws: ``JPEGSpliceError/notAJPEG``, or what the sink throws.
  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    var offset = 0
    while !isPassing, offset < bytes.count {
      if skip > 0 {
        let step = min(skip, bytes.count - offset)
        skip -= step
        offset += step
        continue
      }
      pending.append(bytes[offset])
      offset += 1
      try advance()
    }
    if offset < bytes.count { try put(UnsafeRawBufferPointer(rebasing: bytes[offset...])) }
  }

  /// Ends the file; call it once, after the last ``write(_:)``.
  ///
  /// - Throws: ``JPEGSpliceError/truncated``, or what the sink throws.
  package mutating func finish() throws {
    guard isPassing else { throw JPEGSpliceError.truncated }
    if !further.isEmpty {
      let list = list(first: first.count)
      first.replaceSubrange(header.count..<(header.count + list.count), with: list)
      for picture in [first] + further { try picture.withUnsafeBytes(sink) }
    }
    if !trailer.isEmpty { try trailer.withUnsafeBytes(sink) }
  }

  private mutating func advance() throws {
    guard sawStart else {
      guard pending[0] == 0xFF, pending.count == 1 || pending[1] == 0xD8 else {
        throw JPEGSpliceError.notAJPEG
      }
      if pending.count == 2 {
        sawStart = true
        pending = []
      }
      return
    }
    if pending == [0xFF] { return }
    if pending.count >= 2, pending[0] == 0xFF, pending[1] == 0xE0 {
      guard let length = pending.uint16(at: 2) else { return }
      guard length >= 2 else { throw JPEGSpliceError.notAJPEG }
      skip = length - 2
      pending = []
      return
    }
    isPassing = true
    let start = [UInt8](header) + (further.isEmpty ? [] : list(first: 0)) + pending
    pending = []
    try start.withUnsafeBytes { try put($0) }
  }

  /// The segment that lists the pictures.
  ///
  /// - Parameter length: The bytes of the first picture, the segment with them.
  private func list(first length: Int) -> [UInt8] {
    MultiPictureIndex.segment(of: [length] + further.map(\.count), at: header.count)
  }

  private mutating func put(_ bytes: UnsafeRawBufferPointer) throws {
    if further.isEmpty { try sink(bytes) } else { first.append(contentsOf: bytes) }
  }
}

/// Chunks of a PNG.
///
/// Source: PNG specification, third edition, 5.3 and 11.
package enum PNGChunk {
  /// What every PNG begins with.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A chunk of four letters: its length, its type, its content and their checksum.
  package static func bytes(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.reserveCapacity(content.count + 12)
    chunk.append(uint32: content.count)
    chunk += type.utf8
    chunk += content
    chunk.append(uint32: Int(Zlib.checksum(chunk[4...])))
    return chunk
  }

  /// The chunks of metadata; their place is between the header and the pixels.
  ///
  /// Profiles are written whatever their white is: libpng leaves those out whose white is not D50 to
  /// the last digit, as ProPhoto's. XMP is not packed, as its specification recommends (part 3, 1.1.5).
  ///
  /// - Parameters:
  ///   - profile: An ICC profile; nil for none.
  ///   - exif: A TIFF structure without the `Exif` header; nil for none.
  ///   - xmp: An XMP packet; nil for none.
  ///   - further: Further chunks.
  package static func metadata(
    profile: [UInt8]?, exif: [UInt8]?, xmp: [UInt8]?, further: [UInt8] = []
  ) -> [UInt8] {
    // The profile's name, a zero byte, and the method of packing, of which there is one.
    let icc = profile.map { bytes("iCCP", Array("icc\0\0".utf8) + Zlib.packed($0)) }
    // The keyword, no packing, no language and no translated keyword.
    let text = xmp.map { bytes("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + $0) }
    return (icc ?? []) + (exif.map { bytes("eXIf", $0) } ?? []) + (text ?? []) + further
  }
}
