import SafelightFiles
import SafelightFormats

extension PhotoHeader {
  /// Reads the segments of a JPEG.
  mutating func read(jpeg file: HeaderBytes, _ blocks: inout Blocks) {
    var resources: [UInt8] = []
    // The most bytes of metadata that are kept, in all blocks together.
    var budget = 16 << 20
    file.forEachSegment { marker, place in
      guard budget >= place.count else { return false }
      if width == 0, let size = file.frameSize(marker, place) { (width, height) = size }
      if marker == 0xE2,
        file.bytes(at: place.lowerBound, count: min(27, place.count))?
          .has("urn:iso:std:iso:ts:21496:-1") == true
      {
        signs.insert(.hdr)
      }
      guard marker == 0xE1 || marker == 0xED,
        let payload = file.bytes(at: place.lowerBound, count: place.count)
      else { return true }
      budget -= place.count
      if marker == 0xED {
        if payload.has("Photoshop 3.0\0") {
          resources += payload.dropFirst(PhotoshopResources.header.count)
        }
      } else if payload.has("Exif\0") {
        // A block too large for one segment continues in the next one, without a header.
        blocks.exif = (blocks.exif ?? []) + payload.dropFirst(6)
      } else if !payload.has("http://ns.adobe.com/xmp/extension/\0"),
        let start = payload.firstIndex(of: UInt8(ascii: "<"))
      {
        blocks.packets.append(Array(payload[start...]))
      }
      return true
    }
    if !resources.isEmpty { blocks.photoshop = PhotoshopResources(resources) }
  }

  /// Walks a PNG's chunks, also those after the pixels. Source: PNG specification, third edition.
  ///
  /// - Returns: Whether all metadata could be read; compressed metadata need a decoder.
  mutating func read(png file: HeaderBytes, _ blocks: inout Blocks) -> Bool {
    var offset = 8
    // Pixels come in chunks of some kilobytes. Metadata after very many of them are not read.
    for _ in 0..<1024 {
      guard let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 0) else {
        break
      }
      if head.has("IEND", at: 4) { return true }
      if head.has("IDAT", at: 4) {
        offset += 12 + size
        continue
      }
      guard let data = file.bytes(at: offset + 8, count: size) else { break }
      if head.has("IHDR", at: 4) {
        (width, height) = (data.uint32(at: 0) ?? 0, data.uint32(at: 4) ?? 0)
      } else if head.has("eXIf", at: 4) {
        blocks.exif = data
      } else if head.has("cICP", at: 4), let transfer = data.byte(at: 1) {
        if HDRTransfer(code: Int(transfer)) != nil { signs.insert(.hdr) }
      } else if head.has("zTXt", at: 4) || data.has("Raw profile type ")
        || data.has("XML:com.adobe.xmp\0\u{01}")
      {
        return false
      } else if head.has("iTXt", at: 4), data.has("XML:com.adobe.xmp\0\0") {
        blocks.packets.append(
          data.firstIndex(of: UInt8(ascii: "<")).map { Array(data[$0...]) } ?? [])
      } else if head.has("tEXt", at: 4), data.has("Software\0"),
        data.offset(of: "creenshot", in: 0..<data.count) != nil
      {
        signs.insert(.screenshot)
      }
      offset += 12 + size
    }
    return true
  }

  /// Walks the chunks of a WebP. Source: RFC 9649 (container), RFC 6386 (VP8).
  mutating func read(webP file: HeaderBytes, _ blocks: inout Blocks) {
    var offset = 12
    for _ in 0..<256 {
      guard let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 4, .little)
      else { break }
      if let start = file.bytes(at: offset + 8, count: min(size, 10)), width == 0 {
        readSize(webPChunk: head, start)
      }
      if head.has("EXIF"), let block = file.bytes(at: offset + 8, count: size) {
        blocks.exif = block
      } else if head.has("XMP "), let packet = file.bytes(at: offset + 8, count: size) {
        blocks.packets.append(packet)
      }
      offset += 8 + (size + 1) / 2 * 2
    }
  }

  private mutating func readSize(webPChunk head: [UInt8], _ start: [UInt8]) {
    func three(at offset: Int) -> Int {
      (start.uint16(at: offset, .little) ?? 0) | Int(start.byte(at: offset + 2) ?? 0) << 16
    }
    if head.has("VP8X"), start.count == 10 {
      (width, height) = (three(at: 4) + 1, three(at: 7) + 1)
    } else if head.has("VP8L"), let bits = start.uint32(at: 1, .little) {
      (width, height) = ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    } else if head.has("VP8 "), let across = start.uint16(at: 6, .little),
      let down = start.uint16(at: 8, .little)
    {
      (width, height) = (across & 0x3FFF, down & 0x3FFF)
    }
  }

  /// Reads the boxes of a HEIC or AVIF file: the primary picture's size, turned as the file says,
  /// and its Exif and XMP. Source: ISO/IEC 14496-12, ISO/IEC 23008-12.
  ///
  /// - Returns: Whether no decoder is needed; a file that crops its picture needs one.
  mutating func read(heif file: HeaderBytes, _ blocks: inout Blocks) -> Bool {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }),
      let primary = media.primaryItem
    else { return false }
    var swaps = false
    for property in media.properties(of: primary) {
      let start = property.content.lowerBound
      switch property.type {
      case ISOMediaBox.type("clap"): return false
      case ISOMediaBox.type("ispe"):
        width = media.bytes.uint32(at: start + 4) ?? 0
        height = media.bytes.uint32(at: start + 8) ?? 0
      case ISOMediaBox.type("irot"): swaps = (media.bytes.byte(at: start) ?? 0) & 1 == 1
      default: break
      }
    }
    guard width > 0, height > 0 else { return false }
    if swaps { (width, height) = (height, width) }
    let isCodedForHDR = media.properties.contains {
      ISOMediaColor.read($0, in: media)?.hdrTransfer != nil
    }
    if isCodedForHDR || media.hasAuxiliary("hdrgainmap")
      || media.items.contains(where: { $0.type == "tmap" })
    {
      signs.insert(.hdr)
    }
    if media.hasAuxiliary("hevc:2015:auxid:2") || media.hasAuxiliary("auxiliary:depth") {
      signs.insert(.depth)
    }
    blocks.isTurned = true
    blocks.exif = media.items.first { $0.type == "Exif" }.flatMap { media.content(of: $0.id) }
    if let packet = media.xmpItem.flatMap(media.content) { blocks.packets.append(packet) }
    return true
  }
}

/// The bytes of a file's header: its first bytes, and others on request.
package struct HeaderBytes {
  /// The number of first bytes; most headers are not longer.
  package static let firstCount = 65_536

  /// The file's first bytes.
  package let first: [UInt8]
  /// The file's length in bytes.
  package let size: Int
  private let file: OpenFile

  /// Reads the first bytes of an open file.
  ///
  /// - Parameters:
  ///   - file: Open for reading.
  ///   - size: The file's length in bytes.
  package init(_ file: OpenFile, size: Int) {
    self.file = file
    self.size = size
    first = Self.read(file, at: 0, count: min(size, Self.firstCount))
  }

  /// Bytes from an offset on; nil when the file ends before, or for more than 16 MB.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= 16 << 20, offset <= size - count else { return nil }
    if offset + count <= first.count { return Array(first[offset..<(offset + count)]) }
    let bytes = Self.read(file, at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  func uint16(at offset: Int) -> Int? { bytes(at: offset, count: 2)?.uint16(at: 0) }

  /// Calls `body` with the marker of each segment of a JPEG and the place of its payload, up to the
  /// first scan or until `body` returns `false`. Source: ITU-T T.81, annex B.
  func forEachSegment(_ body: (_ marker: UInt8, _ payload: Range<Int>) -> Bool) {
    var offset = 2
    // Real headers have about 20 segments, and 40 with a profile or a long XMP packet.
    for _ in 0..<4096 {
      guard let head = bytes(at: offset, count: 4), head[0] == 0xFF else { return }
      if head[1] == 0xFF {
        offset += 1
        continue
      }
      guard head[1] != 0xD9, head[1] != 0xDA, let length = head.uint16(at: 2), length >= 2,
        body(head[1], (offset + 4)..<(offset + 2 + length))
      else { return }
      offset += 2 + length
    }
  }

  /// The size in the frame header of a JPEG; nil for any other segment.
  func frameSize(_ marker: UInt8, _ payload: Range<Int>) -> (width: Int, height: Int)? {
    guard (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker),
      let frame = bytes(at: payload.lowerBound + 1, count: 4)
    else { return nil }
    return (frame.uint16(at: 2) ?? 0, frame.uint16(at: 0) ?? 0)
  }

  private static func read(_ file: OpenFile, at offset: Int, count: Int) -> [UInt8] {
    (try? FileSystem.real.bytes(of: file, from: Int64(offset), count: count)) ?? []
  }
}
