import SafelightFiles
import SafelightFormats

extension PhotoHeader {
  /// Reads the segments of a JPEG.
  mutating func read(jpeg file: HeaderBytes, _ blocks: inout Blocks) {
    var resources: [UInt8] = []
    // The most bytes of metadata that are kept, in all blocks together.
    var budget = 16 << 20
    var reader = file.segments
    while let segment = reader.next(file.bytes(at:count:)), !segment.isScan,
      budget >= segment.payload.count
    {
      let (start, count) = (segment.payload.lowerBound, segment.payload.count)
      if width == 0, let size = segment.frameSize(file.bytes(at:count:)) { (width, height) = size }
      if segment.marker == 0xE2,
        file.bytes(at: start, count: min(27, count))?.has("urn:iso:std:iso:ts:21496:-1") == true
      {
        signs.insert(.hdr)
      }
      guard segment.marker == 0xE1 || segment.marker == 0xED,
        let payload = file.bytes(at: start, count: count)
      else { continue }
      budget -= count
      if segment.marker == 0xED {
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
    }
    if !resources.isEmpty { blocks.photoshop = PhotoshopResources(resources) }
  }

  /// Reads the chunks of a PNG, also those after the pixels.
  ///
  /// - Returns: Whether all metadata could be read; compressed metadata need a decoder.
  mutating func read(png file: HeaderBytes, _ blocks: inout Blocks) -> Bool {
    // Pixels come in chunks of some kilobytes. Metadata after very many of them are not read.
    var reader = ChunkReader(.png, limit: 1024)
    while let chunk = reader.next(file.bytes(at:count:)) {
      if chunk.type == "IDAT" { continue }
      guard let data = file.bytes(at: chunk.content.lowerBound, count: chunk.content.count) else {
        break
      }
      switch chunk.type {
      case "IHDR": (width, height) = (data.uint32(at: 0) ?? 0, data.uint32(at: 4) ?? 0)
      case "eXIf": blocks.exif = data
      case "cICP":
        if let transfer = data.byte(at: 1), HDRTransfer(code: Int(transfer)) != nil {
          signs.insert(.hdr)
        }
      case "zTXt": return false
      case _ where data.has("Raw profile type ") || data.has("XML:com.adobe.xmp\0\u{01}"):
        return false
      case "iTXt" where data.has("XML:com.adobe.xmp\0\0"):
        blocks.packets.append(
          data.firstIndex(of: UInt8(ascii: "<")).map { Array(data[$0...]) } ?? [])
      case "tEXt" where data.has("Software\0"):
        if data.offset(of: "creenshot", in: 0..<data.count) != nil { signs.insert(.screenshot) }
      default: break
      }
    }
    return true
  }

  /// Reads the chunks of a WebP.
  mutating func read(webP file: HeaderBytes, _ blocks: inout Blocks) {
    var reader = ChunkReader(.webP, limit: 256)
    while let chunk = reader.next(file.bytes(at:count:)) {
      let (start, count) = (chunk.content.lowerBound, chunk.content.count)
      if width == 0, let bytes = file.bytes(at: start, count: min(count, 10)),
        let size = ChunkReader.size(webPChunk: chunk.type, bytes)
      {
        (width, height) = size
      }
      switch chunk.type {
      case "EXIF": blocks.exif = file.bytes(at: start, count: count) ?? blocks.exif
      case "XMP ": file.bytes(at: start, count: count).map { blocks.packets.append($0) }
      default: break
      }
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
    for property in media.properties(of: primary) {
      let start = property.content.lowerBound
      switch property.type {
      case ISOMediaBox.type("clap"): return false
      case ISOMediaBox.type("ispe"):
        width = media.bytes.uint32(at: start + 4) ?? 0
        height = media.bytes.uint32(at: start + 8) ?? 0
      default: break
      }
    }
    guard width > 0, height > 0 else { return false }
    if (5...8).contains(media.primaryOrientation) { (width, height) = (height, width) }
    let isCodedForHDR = media.properties.contains {
      CodedColor.read($0, in: media)?.hdrTransfer != nil
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
    blocks.exif = media.exifItem.flatMap(media.content)
    if let packet = media.xmpItem.flatMap(media.content) { blocks.packets.append(packet) }
    return true
  }
}

/// The bytes of a file's header: its first bytes, and others on request.
package struct HeaderBytes: Sendable {
  /// The number of first bytes; most headers are not longer.
  package static let firstCount = 65_536

  /// The file's first bytes.
  package let first: [UInt8]
  /// The file's length in bytes.
  package let size: Int
  /// The directories of a file that begins like a TIFF; `nil` for others.
  package private(set) var tiff: TIFFPictures?
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
    tiff = TIFFPictures(bytes(at:count:))
  }

  /// Reads enough of a file that is no link to recognize its format.
  ///
  /// - Throws: ``FileSystemError`` when the file cannot be read.
  package init(recognizing path: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    file = try fileSystem.openReadOnly(path)
    size = Int(try fileSystem.status(of: file).size)
    first = try fileSystem.bytes(of: file, count: 4096)
    tiff = TIFFPictures(bytes(at:count:))
  }

  /// Bytes from an offset on; nil when the file ends before, or for more than 16 MB.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= 16 << 20, offset <= size - count else { return nil }
    if let bytes = first.bytes(at: offset, count: count) { return bytes }
    let bytes = Self.read(file, at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  func uint16(at offset: Int) -> Int? { bytes(at: offset, count: 2)?.uint16(at: 0) }

  /// A walk through the segments of a JPEG. Real headers have about 20 segments, and 40 with a
  /// profile or a long XMP packet.
  var segments: JPEGReader { JPEGReader(size: size, limit: 4096) }

  private static func read(_ file: OpenFile, at offset: Int, count: Int) -> [UInt8] {
    (try? FileSystem.real.bytes(of: file, from: Int64(offset), count: count)) ?? []
  }
}
