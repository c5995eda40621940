import FoundationEssentials
import Glibc

/// The marker segments of a JPEG up to its first scan.
///
/// Reads only the segment headers, so a memory-mapped file stays on disk. Fill bytes and junk
/// between segments are skipped; a segment that claims more bytes than there are ends the walk.
/// Source: ITU-T T.81, annex B.
struct JPEGSegments: Sendable {
  /// One marker segment.
  struct Segment: Sendable, Equatable {
    /// Second byte of the marker: 0xE1 for APP1.
    var marker: UInt8
    /// Where the payload stands, without marker and length.
    var payload: Range<Int>
  }

  /// The segments in file order, without SOI and the scans.
  private(set) var segments: [Segment] = []
  /// Offset of the first start-of-scan marker; nil when the file ends before one.
  private(set) var scanOffset: Int?

  /// Walks the segments that follow the SOI at `start`; nil when there is none.
  init?(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
    guard bytes.uint16(at: start) == 0xFFD8 else { return nil }
    var offset = start + 2
    while let marker = bytes.byte(at: offset + 1) {
      // Junk, fill bytes, restart markers and stuffed zeros carry no length.
      guard bytes[offset] == 0xFF, marker != 0xFF else {
        offset += 1
        continue
      }
      switch marker {
      case 0x00, 0x01, 0xD0...0xD8:
        offset += 2
        continue
      case 0xD9:
        return
      case 0xDA:
        scanOffset = offset
        return
      default:
        break
      }
      guard let length = bytes.uint16(at: offset + 2) else { return }
      guard length >= 2 else {
        offset += 2
        continue
      }
      let end = offset + 2 + length
      guard end <= bytes.count else { return }
      segments.append(Segment(marker: marker, payload: offset + 4..<end))
      offset = end
    }
  }

  /// Width and height from the frame header; nil when there is none.
  func frameSize(in bytes: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
    let frames: Set<UInt8> = [
      0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF,
    ]
    for segment in segments where frames.contains(segment.marker) && segment.payload.count >= 6 {
      guard let height = bytes.uint16(at: segment.payload.lowerBound + 1),
        let width = bytes.uint16(at: segment.payload.lowerBound + 3)
      else { continue }
      return (width, height)
    }
    return nil
  }

  /// Offset just behind the end-of-image marker; nil when the picture is cut short.
  ///
  /// Walks all scans, since progressive files have tables and further scans between them.
  func endOfImage(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard var offset = scanOffset, let base = bytes.baseAddress else { return nil }
    while offset < bytes.count - 1 {
      guard let found = memchr(base + offset, 0xFF, bytes.count - 1 - offset) else { return nil }
      offset = UnsafeRawPointer(found) - base
      switch bytes[offset + 1] {
      case 0xD9:
        return offset + 2
      case 0xFF:
        offset += 1
      case 0xC4, 0xDA...0xDD, 0xE0...0xEF, 0xFE:
        // Segments allowed between scans are stepped over, since their contents may look like
        // markers. In damaged data a length that leaves the file is not believed.
        let length = bytes.uint16(at: offset + 2) ?? 0
        let end = offset + 2 + length
        offset = length >= 2 && end < bytes.count ? end : offset + 2
      default:
        offset += 2
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends one marker segment, or several when the payload exceeds what one can hold.
  ///
  /// - Parameters:
  ///   - marker: Second byte of the marker.
  ///   - header: Text repeated at the start of every segment.
  ///   - payload: Bytes to distribute, at most 65,533 a segment including the header.
  mutating func append(
    segment marker: UInt8, header: [UInt8] = [], payload: some RandomAccessCollection<UInt8>
  ) {
    let limit = JPEGSegments.largestPayload - header.count
    var rest = payload[...]
    repeat {
      let piece = rest.prefix(limit)
      rest = rest.dropFirst(limit)
      append(contentsOf: [0xFF, marker])
      append(uint16: header.count + piece.count + 2)
      append(contentsOf: header)
      append(contentsOf: piece)
    } while !rest.isEmpty
  }
}

extension JPEGSegments {
  /// Bytes that one segment holds besides its marker and length.
  static let largestPayload = 65_533
}
