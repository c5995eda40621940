/// Walks the marker segments of a JPEG, one after the other.
///
/// Like a decoder, the walk skips junk, fill bytes and markers that have no length. Only the heads of
/// the segments are read. Source: ITU-T T.81, annex B.
package struct JPEGReader {
  /// One marker segment.
  package struct Segment: Sendable, Equatable {
    /// Second byte of the marker: 0xE1 for APP1.
    package let marker: UInt8
    /// The place of the payload, without marker and length.
    package let payload: Range<Int>

    /// A segment that was found.
    package init(marker: UInt8, payload: Range<Int>) {
      (self.marker, self.payload) = (marker, payload)
    }

    /// Whether the payload is a frame header, which has the picture's size.
    package var isFrame: Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// The picture's width and height, when the payload is a frame header.
    ///
    /// - Parameter read: Reads bytes of the file; `nil` when they are not all there.
    package func frameSize(
      _ read: (_ offset: Int, _ count: Int) -> [UInt8]?
    ) -> (width: Int, height: Int)? {
      guard isFrame, let size = read(payload.lowerBound + 1, 4) else { return nil }
      return (size.uint16(at: 2) ?? 0, size.uint16(at: 0) ?? 0)
    }

    /// Whether coded pixels follow the segment.
    package var isScan: Bool { marker == 0xDA }
  }

  /// Where the walk goes on. After a scan's header this is the first byte of the coded pixels.
  package var offset = 2
  /// Whether the walk has come to the end-of-image marker.
  package private(set) var isAtEnd = false
  private let size: Int
  private var limit: Int

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - size: The length of the file in bytes.
  ///   - limit: The most segments, markers and bytes of junk, far more than real photos have.
  package init(size: Int, limit: Int = 1 << 18) {
    self.size = size
    self.limit = limit
  }

  /// The next segment; `nil` at the end of the image, and before a segment that the file cuts off.
  ///
  /// - Parameter read: Reads bytes of the file; `nil` when they are not all there.
  package mutating func next<Failure: Error>(
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]?
  ) throws(Failure) -> Segment? {
    while !isAtEnd, limit > 0, let head = try read(offset, 2) {
      limit -= 1
      switch (head[0], head[1]) {
      case (0xFF, 0x00...0x01), (0xFF, 0xD0...0xD8): offset += 2
      case (0xFF, 0xD9): isAtEnd = true
      case (0xFF, 0x02...0xFE):
        guard let length = try read(offset + 2, 2)?.uint16(at: 0) else { return nil }
        guard length >= 2 else {
          offset += 2
          continue
        }
        let payload = offset + 4..<offset + 2 + length
        guard payload.upperBound <= size else { return nil }
        offset = payload.upperBound
        return Segment(marker: head[1], payload: payload)
      default: offset += 1
      }
    }
    return nil
  }
}

/// Walks the chunks of a PNG or a WebP, one after the other.
///
/// Only the heads of the chunks are read. Source: PNG specification, third edition, clause 5; RFC 9649.
package struct ChunkReader {
  /// One chunk.
  package struct Chunk: Sendable, Equatable {
    /// The four letters of its type.
    package let type: String
    /// The place of its content, which may leave a file that is cut off.
    package let content: Range<Int>
  }

  package enum Format { case png, webP }

  private let isPNG: Bool
  private var offset: Int
  private var limit: Int

  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - format: What the file is.
  ///   - limit: The most chunks, far more than real photos have.
  package init(_ format: Format, limit: Int = 1 << 18) {
    isPNG = format == .png
    offset = isPNG ? 8 : 12
    self.limit = limit
  }

  /// The next chunk; `nil` at the end of the picture or of the file.
  ///
  /// - Parameter read: Reads bytes of the file; `nil` when they are not all there.
  package mutating func next<Failure: Error>(
    _ read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]?
  ) throws(Failure) -> Chunk? {
    guard limit > 0, let head = try read(offset, 8),
      let count = isPNG ? head.uint32(at: 0) : head.uint32(at: 4, .little)
    else { return nil }
    limit -= 1
    let type = String(decoding: isPNG ? head[4...] : head[..<4], as: UTF8.self)
    let content = offset + 8..<offset + 8 + count
    // A checksum follows the content of a PNG's chunk; WebP pads to an even length.
    offset = content.upperBound + (isPNG ? 4 : count % 2)
    return isPNG && type == "IEND" ? nil : Chunk(type: type, content: content)
  }

  /// The size that a chunk of a WebP says; `nil` for chunks that say none.
  ///
  /// Source: RFC 9649, RFC 6386 (VP8).
  /// - Parameters:
  ///   - type: The four letters of the chunk.
  ///   - start: The first ten bytes of its content; five are enough for `VP8L`.
  package static func size(
    webPChunk type: String, _ start: [UInt8]
  ) -> (width: Int, height: Int)? {
    func three(at offset: Int) -> Int {
      (start.uint16(at: offset, .little) ?? 0) | Int(start.byte(at: offset + 2) ?? 0) << 16
    }
    if type == "VP8X", start.count == 10 { return (three(at: 4) + 1, three(at: 7) + 1) }
    if type == "VP8L", let bits = start.uint32(at: 1, .little) {
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    if type == "VP8 ", let across = start.uint16(at: 6, .little),
      let down = start.uint16(at: 8, .little)
    {
      return (across & 0x3FFF, down & 0x3FFF)
    }
    return nil
  }
}
