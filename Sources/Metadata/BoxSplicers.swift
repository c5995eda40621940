import SafelightFormats

/// Gives an AVIF that an encoder has just written the metadata of a render.
///
/// Its items for Exif and XMP come to lie at the end of the file: encoders write them by libraries of their own, which
/// change Exif blocks. Source: ISO/IEC 14496-12 (`iloc`), ISO/IEC 23008-12, annex A.
package struct AVIFSplicer {
  /// The file's first bytes.
  package let beginning: [UInt8]
  /// What stands behind the file.
  package let end: [UInt8]

  /// A block without a single fact, for a file whose encoder has made one up.
  private static let noExif: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0]

  /// Places the metadata.
  ///
  /// - Parameters:
  ///   - file: The encoder's file, with an item for XMP and one for Exif.
  ///   - blocks: The metadata, made for the render.
  /// - Returns: `nil` for another file, or without room below 4 GB.
  package init?<File: RandomAccessCollection>(_ file: File, _ blocks: CarriedMetadata.Blocks)
  where File.Element == UInt8, File.Index == Int {
    guard let media = ISOMediaFile({ file.bytes(at: $0, count: $1) }) else { return nil }
    // The number in front of an Exif block says how many bytes stand between the two: none.
    // An item that the encoder has made says nothing without metadata. It is never empty: a length of zero in `iloc` is
    // that of the whole file (ISO/IEC 14496-12, 8.11.3).
    let contents: [(item: Int?, bytes: [UInt8], isAsked: Bool)] = [
      (media.exifItem, [0, 0, 0, 0] + (blocks.exif ?? Self.noExif), blocks.exif != nil),
      (media.xmpItem, blocks.xmp ?? XMPPacket.empty, blocks.xmp != nil),
    ]
    var end: [UInt8] = [0, 0, 0, 0] + "mdat".utf8
    var patches: [(place: Int, bytes: [UInt8])] = []
    for (item, bytes, isAsked) in contents {
      guard let item else {
        if isAsked { return nil }
        continue
      }
      guard
        let moved = media.moving(
          item, to: file.count + end.count, count: bytes.count)
      else { return nil }
      patches += moved
      end += bytes
    }
    guard file.count + end.count < 1 << 32 else { return nil }
    end.set(uint32: end.count, at: 0, .big)
    let last = patches.map { $0.place + $0.bytes.count }.max() ?? 0
    guard var beginning = file.bytes(at: 0, count: last) else { return nil }
    for patch in patches {
      beginning.replaceSubrange(patch.place..<patch.place + patch.bytes.count, with: patch.bytes)
    }
    (self.beginning, self.end) = (beginning, end)
  }
}

/// Gives a JPEG XL that an encoder has just written the metadata of a render: boxes for Exif and XMP before the picture.
///
/// Source: ISO/IEC 18181-2.
package struct JPEGXLSplicer {
  /// The first bytes of the new file.
  package let beginning: [UInt8]
  /// The encoder's bytes that stand behind them.
  package let kept: Range<Int>

  fileprivate static let signature: [UInt8] =
    [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]

  /// Places the metadata.
  ///
  /// - Parameters:
  ///   - file: The encoder's file, in boxes or without them.
  ///   - blocks: The metadata, made for the render.
  /// - Returns: `nil` for another file, or without room below 4 GB.
  package init?<File: RandomAccessCollection>(_ file: File, _ blocks: CarriedMetadata.Blocks)
  where File.Element == UInt8, File.Index == Int {
    func box(_ type: StaticString, _ content: [UInt8]) -> [UInt8] {
      var box: [UInt8] = []
      box.append(uint32: 8 + content.count)
      box.append(ascii: type)
      return box + content
    }
    var beginning: [UInt8]
    let start: Int
    let isBare = file.bytes(at: 0, count: 2) == [0xFF, 0x0A]
    if isBare {
      beginning = Self.signature + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      start = 0
    } else {
      guard file.bytes(at: 0, count: 12) == Self.signature else { return nil }
      var offset = 12
      while let head = file.bytes(at: offset, count: 8), let size = head.uint32(at: 0), size >= 8,
        !head.has("jxlc", at: 4), !head.has("jxlp", at: 4)
      {
        offset += size
      }
      guard offset < file.count, let whole = file.bytes(at: 0, count: offset) else { return nil }
      (beginning, start) = (whole, offset)
    }
    // The number in front of an Exif block says how many bytes stand between the two: none.
    if let exif = blocks.exif { beginning += box("Exif", [0, 0, 0, 0] + exif) }
    if let xmp = blocks.xmp { beginning += box("xml ", xmp) }
    guard file.count + beginning.count < 1 << 32 else { return nil }
    if isBare {
      beginning.append(uint32: 8 + file.count)
      beginning.append(ascii: "jxlc")
    }
    (self.beginning, kept) = (beginning, start..<file.count)
  }
}

extension PhotoBytes {
  /// The original of a JPEG XL that Safelight rendered, by its XMP; `nil` for other files.
  package var originalOfJPEGXL: OriginalReference? {
    guard bytes(at: 0, count: 12) == JPEGXLSplicer.signature else { return nil }
    var offset = 12
    // Each box is a read of its own, and a picture has a handful.
    for _ in 0..<256 {
      guard let head = bytes(at: offset, count: 8), let size = head.uint32(at: 0), size >= 8 else {
        return nil
      }
      if head.has("xml ", at: 4), size < 16 << 20 {
        let packet = bytes(at: offset + 8, count: size - 8).flatMap { XMPPacket($0) }
        return packet.flatMap { $0.isSafelightRender ? $0.derivedFrom : nil }
      }
      offset += size
    }
    return nil
  }
}
