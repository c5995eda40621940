import SafelightFormats
import SafelightRendering

/// Sees whether bytes that come one run after the other are a whole picture of a format, and of which size.
///
/// The parts of the file are followed from the first to the pixels or to the end. Nothing is decoded, and only some bytes
/// of the header and the last ones are kept. A hostile decoder can still make pixels of its own, but no file that is
/// no picture.
///
/// Sources: ITU-T T.81, annex B; PNG specification, third edition, clause 5; RFC 9649; TIFF 6.0, section 2;
/// ISO/IEC 14496-12 and 23008-12 (AVIF); ISO/IEC 18181-1, A.3, and 18181-2 (JPEG XL).
struct PictureCheck {
  private enum Step { case start, part, size, directory, pixels, failed }

  private let format: RenderOutput.Format
  private var step = Step.start
  /// The bytes that came.
  private(set) var count = 0
  /// The place of the bytes that are looked at next, and those of them that came.
  private var wanted: Range<Int>
  private var found: [UInt8] = []
  /// Where the next part begins, while the size is read.
  private var next = 0
  private var size: PixelSize?
  private var hasPixels = false
  private var order = ByteOrder.little
  /// Where the file ends, when its header or last part says so.
  private var end: Int?
  /// The last bytes that came.
  private var last: [UInt8] = []

  /// What may stand behind a JPEG: the tables of some cameras, and the end of the picture.
  private static let longestTrailer = 65_536 + 2

  init(_ format: RenderOutput.Format) {
    self.format = format
    wanted =
      switch format {
      case .jpeg: 0..<2
      case .png, .tiff, .avif, .jxl: 0..<8
      case .webp: 0..<12
      }
  }

  /// The size that the picture's header says; `nil` when the bytes so far are no whole picture.
  var wholeSize: PixelSize? {
    guard step != .failed, hasPixels, let size, size.width > 0, size.height > 0 else { return nil }
    switch format {
    case .jpeg:
      let hasEnd =
        last.suffix(2) == [0xFF, 0xD9]
        || last.suffix(4) == Array("SEFT".utf8)
          && last.indices.dropLast().contains { last[$0] == 0xFF && last[$0 + 1] == 0xD9 }
      return hasEnd ? size : nil
    case .png, .webp: return count == end ? size : nil
    case .avif, .jxl: return count == next ? size : nil
    case .tiff: return count >= end ?? .max ? size : nil
    }
  }

  /// Takes the next bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    let start = count
    count += bytes.count
    while step != .pixels, step != .failed {
      let (first, end) = (wanted.lowerBound + found.count, min(wanted.upperBound, count))
      guard first < end else { break }
      found += bytes[(first - start)..<(end - start)]
      guard found.count == wanted.count else { break }
      let piece = found
      found = []
      switch format {
      case .jpeg: read(jpeg: piece)
      case .png: read(png: piece)
      case .webp: read(webP: piece)
      case .tiff: read(tiff: piece)
      case .avif, .jxl: read(boxes: piece)
      }
    }
    guard format == .jpeg else { return }
    last = Array((last + bytes.suffix(Self.longestTrailer)).suffix(Self.longestTrailer))
  }

  /// Has the next bytes looked at.
  private mutating func want(_ count: Int, at place: Int, as step: Step) {
    (wanted, self.step) = (place..<place + count, step)
  }

  private mutating func read(jpeg piece: [UInt8]) {
    let place = wanted.lowerBound
    switch step {
    case .start where piece == [0xFF, 0xD8]: want(4, at: 2, as: .part)
    case .part:
      let segment = JPEGReader.Segment(marker: piece[1], payload: place + 4..<place + 4)
      let length = piece.uint16(at: 2) ?? 0
      guard piece[0] == 0xFF, (0xC0...0xFE).contains(piece[1]), length >= 2 else { return fail() }
      next = place + 2 + length
      if segment.isScan {
        hasPixels = size != nil
        step = .pixels
      } else if segment.isFrame {
        want(5, at: place + 4, as: .size)
      } else {
        want(4, at: next, as: .part)
      }
    case .size where next >= wanted.upperBound:
      size = PixelSize(width: piece.uint16(at: 3) ?? 0, height: piece.uint16(at: 1) ?? 0)
      want(4, at: next, as: .part)
    default: fail()
    }
  }

  private mutating func read(png piece: [UInt8]) {
    let place = wanted.lowerBound
    switch step {
    case .start where piece == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]:
      want(8, at: 8, as: .part)
    case .part:
      let length = piece.uint32(at: 0) ?? 0
      next = place + 12 + length
      switch (String(decoding: piece[4...], as: UTF8.self), size) {
      case ("IHDR", nil) where length == 13: want(8, at: place + 8, as: .size)
      case ("IEND", .some) where length == 0: (end, step) = (next, .pixels)
      case (let type, .some):
        hasPixels = hasPixels || type == "IDAT"
        want(8, at: next, as: .part)
      default: fail()
      }
    case .size:
      size = PixelSize(width: piece.uint32(at: 0) ?? 0, height: piece.uint32(at: 4) ?? 0)
      want(8, at: next, as: .part)
    default: fail()
    }
  }

  private mutating func read(webP piece: [UInt8]) {
    switch step {
    case .start where piece.has("RIFF") && piece.has("WEBP", at: 8):
      end = 8 + (piece.uint32(at: 4, .little) ?? 0)
      want(8, at: 12, as: .part)
    case .part:
      // A lossless picture may have fewer bytes than the other headers.
      want(8 + (piece.has("VP8L") ? 5 : 10), at: 20 - 8, as: .size)
      found = piece
    case .size:
      size = ChunkReader.size(
        webPChunk: String(decoding: piece[..<4], as: UTF8.self), Array(piece[8...])
      ).map { PixelSize(width: $0.width, height: $0.height) }
      (hasPixels, step) = (size != nil, .pixels)
    default: fail()
    }
  }

  private mutating func read(tiff piece: [UInt8]) {
    switch step {
    case .start:
      guard let header = TIFFHeader(piece), header.firstDirectory >= 8 else { return fail() }
      order = header.order
      want(2, at: header.firstDirectory, as: .part)
    case .part:
      guard let entries = piece.uint16(at: 0, order), entries > 0 else { return fail() }
      want(12 * entries, at: wanted.upperBound, as: .directory)
    case .directory:
      func number(_ tag: Int) -> Int? {
        for place in stride(from: 0, to: piece.count, by: 12)
        where piece.uint16(at: place, order) == tag {
          return piece.uint16(at: place + 2, order) == 3
            ? piece.uint16(at: place + 8, order) : piece.uint32(at: place + 8, order)
        }
        return nil
      }
      if let width = number(0x100), let height = number(0x101), number(0x111) != nil {
        size = PixelSize(width: width, height: height)
      }
      (hasPixels, end, step) = (size != nil, wanted.upperBound + 4, .pixels)
    default: fail()
    }
  }

  /// Boxes follow each other to the end of the file. The size stands in the one that describes the pictures, or at the
  /// beginning of the picture.
  private mutating func read(boxes piece: [UInt8]) {
    let place = wanted.lowerBound
    if step == .size {
      size = format == .avif ? Self.size(ofMeta: piece) : Self.size(ofJPEGXL: piece)
      if format == .jxl { hasPixels = size != nil }
      return size == nil ? fail() : want(8, at: next, as: .part)
    }
    let isFirst = step == .start
    let length = piece.uint32(at: 0) ?? 0
    let type = String(decoding: piece[4...], as: UTF8.self)
    guard length >= 8, isFirst == (type == (format == .avif ? "ftyp" : "JXL ")) else {
      return fail()
    }
    next = place + length
    switch (format, type) {
    case (.avif, "meta") where size == nil && length <= Self.longestMeta:
      want(length - 8, at: place + 8, as: .size)
    case (.jxl, "jxlc") where size == nil && length > 24:
      want(12, at: place + 8, as: .size)
    case (.avif, "meta"), (.jxl, "jxlc"): fail()
    default:
      hasPixels = hasPixels || (type == "mdat" && size != nil)
      want(8, at: next, as: .part)
    }
  }

  /// The most bytes of the box that describes the pictures of an AVIF, with a profile in it.
  private static let longestMeta = 16 << 20

  /// The size of the primary picture, by the content of the box that describes all.
  private static func size(ofMeta content: [UInt8]) -> PixelSize? {
    var file: [UInt8] = [0, 0, 0, 8]
    file.append(ascii: "ftyp")
    file.append(uint32: 8 + content.count)
    file.append(ascii: "meta")
    file += content
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }),
      let primary = media.primaryItem,
      let size = media.properties(of: primary).first(where: {
        $0.type == ISOMediaBox.type("ispe")
      }),
      let width = media.bytes.uint32(at: size.content.lowerBound + 4),
      let height = media.bytes.uint32(at: size.content.lowerBound + 8)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The size that a JPEG XL begins with: bits, the lowest of each byte first.
  private static func size(ofJPEGXL bytes: [UInt8]) -> PixelSize? {
    guard bytes.starts(with: [0xFF, 0x0A]) else { return nil }
    var place = 16
    func number(_ count: Int) -> Int {
      defer { place += count }
      return (0..<count).reduce(0) { number, bit in
        let index = place + bit
        return index / 8 < bytes.count
          ? number | Int(bytes[index / 8] >> (index % 8) & 1) << bit : number
      }
    }
    let isSmall = number(1) == 1
    func side() -> Int { isSmall ? 8 * (number(5) + 1) : 1 + number([9, 13, 18, 30][number(2)]) }
    let height = side()
    let shapes = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let shape = number(3)
    let width = shape == 0 ? side() : height * shapes[shape - 1].0 / shapes[shape - 1].1
    return PixelSize(width: width, height: height)
  }

  private mutating func fail() { step = .failed }
}
