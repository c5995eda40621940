import FoundationEssentials
import Glibc
import SafelightFormats

/// The marker segments of a JPEG up to its first scan.
///
/// Reads only the heads of the segments.
struct JPEGSegments: Sendable {
  /// The segments in file order, without SOI and the scans.
  private(set) var segments: [JPEGReader.Segment] = []
  /// Offset of the first start-of-scan marker; nil when the file ends before one.
  private(set) var scanOffset: Int?

  /// Finds the segments; nil for bytes that do not begin as a JPEG does.
  ///
  /// - Parameter part: Where in the file the JPEG is; nil for the whole file.
  init?(_ file: PhotoBytes, in part: Range<Int>? = nil) {
    let part = part ?? 0..<file.count
    guard file.bytes(at: part.lowerBound, count: 2) == [0xFF, 0xD8] else { return nil }
    var reader = JPEGReader(size: part.upperBound)
    reader.offset = part.lowerBound + 2
    while let segment = reader.next(file.bytes(at:count:)) {
      guard !segment.isScan else {
        scanOffset = segment.payload.lowerBound - 4
        return
      }
      segments.append(segment)
    }
  }

  /// Offset after the end-of-image marker; nil when the picture is cut short.
  ///
  /// Walks all scans, since progressive files have tables and further scans between them.
  func endOfImage(in file: PhotoBytes) -> Int? {
    var end: Int?
    file.readPieces(in: (scanOffset ?? file.count)..<file.count) { piece, start in
      var offset = 0
      while offset < piece.count - 1, let base = piece.baseAddress {
        guard let found = memchr(base + offset, 0xFF, piece.count - 1 - offset) else {
          offset = piece.count - 1
          break
        }
        offset = UnsafeRawPointer(found) - base
        // The length of a segment may be in the next piece.
        if offset + 4 > piece.count, start + piece.count < file.count { break }
        switch piece[offset + 1] {
        case 0xD9:
          end = start + offset + 2
          return nil
        case 0xFF:
          offset += 1
        case 0xC4, 0xDA...0xDD, 0xE0...0xEF, 0xFE:
          // Segments between scans are passed over, because their contents may look like
          // markers. A length that leaves the file is a sign of damaged data, and is ignored.
          let length = piece.uint16(at: offset + 2) ?? 0
          let next = offset + 2 + length
          offset = length >= 2 && start + next < file.count ? next : offset + 2
        default:
          offset += 2
        }
      }
      return start + offset
    }
    return end
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
  /// The most bytes of a segment, without its marker and length.
  static let largestPayload = 65_533
}

/// The tables and scans of a whole JPEG, without its metadata.
package struct CodedPicture: Sendable {
  /// Width and height in pixels.
  package let size: (width: Int, height: Int)
  /// From the first table to the end of the image.
  package let range: Range<Int>

  /// Finds them; `nil` for other files and for pictures that are cut short.
  package init?(jpeg file: PhotoBytes) {
    guard let walk = JPEGSegments(file), let end = walk.endOfImage(in: file),
      let first = walk.segments.first(where: {
        !(0xE0...0xEF).contains($0.marker) && $0.marker != 0xFE
      }),
      let size = walk.segments.lazy.compactMap({ $0.frameSize(file.bytes(at:count:)) }).first
    else { return nil }
    self.size = size
    range = first.payload.lowerBound - 4..<end
  }
}

/// An ICC profile spread over a JPEG's APP2 segments.
///
/// Source: ICC.1:2022, annex B.4.
enum ICCSegments {
  static let header = Array("ICC_PROFILE\0".utf8)

  /// Joins the parts of a profile; nil unless every part is there once.
  ///
  /// - Parameter payloads: APP2 payloads that begin with the header, in any order.
  static func joined(_ payloads: [[UInt8]]) -> Data? {
    let parts = payloads.filter { $0.count >= header.count + 2 }
      .sorted { $0[header.count] < $1[header.count] }
    guard let first = parts.first, Int(first[header.count + 1]) == parts.count else { return nil }
    for (index, part) in parts.enumerated() where Int(part[header.count]) != index + 1 {
      return nil
    }
    return Data(parts.flatMap { $0.dropFirst(header.count + 2) })
  }

  /// A profile as APP2 segments with markers; empty for a profile beyond 255 segments (16 MB).
  static func segments(_ profile: Data) -> [UInt8] {
    let limit = JPEGSegments.largestPayload - header.count - 2
    let count = (profile.count + limit - 1) / limit
    guard count <= 255 else { return [] }
    var result: [UInt8] = []
    for index in 0..<count {
      result.append(
        segment: 0xE2, header: header + [UInt8(index + 1), UInt8(count)],
        payload: profile.dropFirst(index * limit).prefix(limit))
    }
    return result
  }
}

/// The bytes after the end of a JPEG.
///
/// A render carries Samsung's small tables of text (time zone, camera mode): exiftool reads tags
/// from them, and they say nothing about pixels. Everything else is reported and not carried:
/// pictures, gain maps and videos belong to the original.
struct JPEGTrailer {
  /// Largest Samsung trailer that is carried.
  static let largestCarried = 65_536

  /// The bytes that are carried: none, or a Samsung trailer up to the end of the file.
  private(set) var carried: [UInt8] = []
  private(set) var gainMaps: [GainMap.Convention] = []
  private(set) var warnings: [MetadataWarning] = []

  /// - Parameters:
  ///   - file: The whole file.
  ///   - end: Offset after the end-of-image marker.
  ///   - covered: Further images that an index names; they are reported already.
  init(_ file: PhotoBytes, from end: Int, covered: [Range<Int>]) {
    var rest = end..<file.count
    if let samsung = Self.samsungTrailer(file, rest) {
      rest = rest.lowerBound..<samsung.lowerBound
      if samsung.count <= Self.largestCarried, let bytes = file.bytes(in: samsung),
        !Self.hasPicture(bytes)
      {
        carried = bytes
      } else if let video = Self.video(file, samsung) {
        warnings.append(.motionPhotoNotCarried(bytes: file.count - video))
      } else {
        warnings.append(.samsungTrailerNotCarried(bytes: samsung.count))
      }
    }
    if covered.isEmpty { gainMaps = Self.gainMaps(in: file, at: rest) }
    if let video = Self.video(file, rest) {
      warnings.append(.motionPhotoNotCarried(bytes: rest.upperBound - video))
      rest = rest.lowerBound..<video
    }
    // Images of the index and the padding between them are reported already.
    let unnamed = rest.count - covered.map { $0.clamped(to: rest).count }.reduce(0, +)
    let isPadding = !covered.isEmpty && unnamed < 65_536
    if !rest.isEmpty, !isPadding, gainMaps.isEmpty {
      warnings.append(.trailerNotCarried(bytes: max(unnamed, 0)))
    }
  }

  /// The kinds of gain map that the header of a JPEG in a part of a file names.
  static func gainMaps(in file: PhotoBytes, at part: Range<Int>) -> [GainMap.Convention] {
    guard let walk = JPEGSegments(file, in: part) else { return [] }
    var kinds: [GainMap.Convention] = []
    for segment in walk.segments where segment.marker == 0xE1 || segment.marker == 0xE2 {
      guard let payload = file.bytes(in: segment.payload) else { continue }
      let all = 0..<payload.count
      if payload.offset(of: "hdr-gain-map/1.0/", in: all) != nil { kinds.append(.adobe) }
      if payload.offset(of: "HDRGainMap/1.0/", in: all) != nil { kinds.append(.apple) }
      if payload.has("urn:iso:std:iso:ts:21496:-1") { kinds.append(.iso) }
    }
    return kinds
  }

  /// Offset of the first box of an embedded video; nil when there is none.
  static func video(_ file: PhotoBytes, _ range: Range<Int>) -> Int? {
    var video: Int?
    file.readPieces(in: range) { piece, start in
      if let found = firstBox(piece) {
        video = start + found
        return nil
      }
      return start + max(piece.count - 7, 8)
    }
    return video
  }

  /// Offset of the box that begins a video: its length, and `ftyp`.
  private static func firstBox(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var offset = 4
    while offset < bytes.count - 3, let base = bytes.baseAddress,
      let found = memchr(base + offset, 0x66, bytes.count - offset)
    {
      let name = UnsafeRawPointer(found) - base
      offset = name + 1
      guard bytes.has("ftyp", at: name), let size = bytes.uint32(at: name - 4) else { continue }
      if (16...256).contains(size), size.isMultiple(of: 4) { return name - 4 }
    }
    return nil
  }

  private static func hasPicture(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes(firstBox) != nil
      || bytes.indices.contains { bytes.uint16(at: $0) == 0xFFD8 && bytes.byte(at: $0 + 2) == 0xFF }
  }

  /// The blocks and directory of a Samsung trailer; nil when the file ends otherwise.
  ///
  /// The directory's entries count back from its start to their blocks.
  /// Source: exiftool's documentation of Samsung trailer tags.
  private static func samsungTrailer(_ file: PhotoBytes, _ rest: Range<Int>) -> Range<Int>? {
    guard file.has("SEFT", at: file.count - 4),
      let length = file.uint32(at: file.count - 8, .little)
    else { return nil }
    let directory = file.count - 8 - length
    guard directory >= rest.lowerBound, file.has("SEFH", at: directory),
      let count = file.uint32(at: directory + 8, .little), count <= (length - 12) / 12
    else { return nil }
    let farthest = (0..<count).compactMap {
      file.uint32(at: directory + 12 + 12 * $0 + 4, .little)
    }.max()
    let start = directory - (farthest ?? 0)
    return start >= rest.lowerBound ? start..<file.count : nil
  }
}
