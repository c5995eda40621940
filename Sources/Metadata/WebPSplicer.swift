import SafelightFormats

/// Gives a WebP that an encoder has just written the metadata of a render.
///
/// The metadata are the last chunks of the file, and the first chunk says that they are there; encoders write them by
/// libraries of their own, which change Exif blocks. Source: RFC 9649, 2.7.
package struct WebPSplicer {
  /// The file's first bytes.
  package let beginning: [UInt8]
  /// How many bytes of the encoder's file stay, the beginning included.
  package let kept: Int
  /// What stands behind them.
  package let end: [UInt8]

  private static let (exifFlag, xmpFlag): (UInt8, UInt8) = (0x08, 0x04)

  /// Places the metadata.
  ///
  /// - Parameters:
  ///   - file: The encoder's file, whose first chunk must be `VP8X`.
  ///   - blocks: The metadata, made for the render.
  /// - Returns: `nil` for another file, or without room below 4 GB.
  package init?<File: RandomAccessCollection>(_ file: File, _ blocks: CarriedMetadata.Blocks)
  where File.Element == UInt8, File.Index == Int {
    guard file.has("RIFF"), file.has("WEBPVP8X", at: 8),
      var beginning = file.bytes(at: 0, count: 21)
    else { return nil }
    var kept = file.count
    var reader = ChunkReader(.webP)
    while let chunk = reader.next(file.bytes(at:count:)) {
      guard chunk.content.upperBound <= file.count else { return nil }
      if chunk.type == "EXIF" || chunk.type == "XMP " {
        kept = chunk.content.lowerBound - 8
        break
      }
    }
    var end: [UInt8] = []
    for (type, content) in [("EXIF", blocks.exif), ("XMP ", blocks.xmp)] {
      guard let content else { continue }
      end += type.utf8
      end.append(uint32: content.count, .little)
      end += content
      end += [UInt8](repeating: 0, count: content.count % 2)
    }
    guard kept + end.count - 8 < 1 << 32 else { return nil }
    beginning[20] &= ~(Self.exifFlag | Self.xmpFlag)
    if blocks.exif != nil { beginning[20] |= Self.exifFlag }
    if blocks.xmp != nil { beginning[20] |= Self.xmpFlag }
    beginning.set(uint32: kept + end.count - 8, at: 4, .little)
    (self.beginning, self.kept, self.end) = (beginning, kept, end)
  }
}
