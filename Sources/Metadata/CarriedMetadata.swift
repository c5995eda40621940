import FoundationEssentials

/// What an original says about itself, in the form in which a rendered JPEG carries it on.
///
/// Made once from the original's bytes; ``header(size:baked:profile:resolution:derivedFrom:)``
/// then writes the segments that stand before the render's own tables.
package struct CarriedMetadata: Sendable {
  /// A segment that is carried as it is.
  struct OtherSegment: Sendable, Equatable {
    var marker: UInt8
    var payload: [UInt8]
  }

  /// Whether the original is a JPEG, which keeps having JFIF or not having it.
  var isJPEG = false
  /// Payload of JFIF's APP0, thumbnail taken out; nil when the original has none.
  var jfif: [UInt8]?
  /// Exif blocks in file order, without the `Exif` header: one, unless a program doubled it.
  var exifBlocks: [[UInt8]] = []
  /// XMP packets in file order: one, unless a program doubled it.
  var xmpPackets: [[UInt8]] = []
  /// Payloads of the segments of extended XMP, header included.
  var extendedXMP: [[UInt8]] = []
  /// Photoshop resources, one after the other; nil when there are none.
  var photoshop: PhotoshopResources?
  /// Everything else, in file order.
  var others: [OtherSegment] = []
  /// The embedded color profile of a JPEG, joined; nil when there is none or parts are missing.
  ///
  /// Other formats' profiles come from the decoder.
  package internal(set) var profile: Data?
  /// Bytes to write behind the render's end; empty for nearly every picture.
  package internal(set) var trailer = Data()
  /// What cannot be carried, found while reading.
  package internal(set) var warnings: [MetadataWarning] = []

  /// Nothing to carry: the render only names its original.
  package init() {}

  /// Gathers the metadata of a JPEG, PNG, WebP or TIFF; other formats yield nothing.
  ///
  /// - Parameter original: The whole file, memory mapped if it is large.
  package init(original: Data) {
    self.init()
    original.withUnsafeBytes { bytes in
      if let segments = JPEGSegments(bytes) {
        read(jpeg: bytes, segments)
      } else if bytes.has("PNG\r\n", at: 1) {
        read(png: bytes)
      } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
        read(webP: bytes)
      } else if bytes.has("II*\0") || bytes.has("MM\0*") || bytes.has("II+\0")
        || bytes.has("MM\0+")
      {
        read(tiff: bytes)
      }
      // A JPEG may spread its block over several segments, and then the render does too.
      if bytes.uint16(at: 0) != 0xFFD8 { shrinkExif() }
    }
  }

  /// Takes the metadata of a HEIF or AVIF.
  ///
  /// - Parameters:
  ///   - exif: The Exif item as the decoder hands it out, with or without header or offset; nil
  ///     when there is none.
  ///   - xmp: The XMP packet, when the decoder hands it out; otherwise the file's own is taken.
  ///   - file: The whole file, memory mapped if it is large. Its first 64 kB are searched for an
  ///     HDR transfer, gain maps and depth maps.
  package init(exif: Data?, xmp: Data? = nil, file: Data = Data()) {
    self.init()
    if let exif, !exif.isEmpty { add(exif: exif) }
    shrinkExif()
    if let xmp = xmp.map(Array.init) ?? ISOMediaItems(file)?.xmp, !xmp.isEmpty {
      xmpPackets.append(xmp)
    }
    file.withUnsafeBytes { bytes in
      let boxes = 0..<min(bytes.count, 65_536)
      if bytes.offset(of: "urn:com:apple:photo:2020:aux:hdrgainmap", in: boxes) != nil {
        warn(.gainMapNotCarried(.apple))
      }
      if bytes.offset(of: "urn:mpeg:hevc:2015:auxid:2", in: boxes) != nil {
        warn(.depthMapNotCarried)
      }
      if bytes.has("ftyp", at: 4), bytes.offset(of: "tmap", in: boxes) != nil {
        warn(.gainMapNotCarried(.iso))
      }
    }
    if let transfer = ISOMediaColor(file)?.hdrTransfer {
      warnings.append(.highDynamicRange(transfer))
    }
  }

  /// The first Exif block; nil when there is none or it is damaged.
  package var exif: ExifBlock? { exifBlocks.first.flatMap { ExifBlock($0) } }

  /// The first XMP packet; nil when there is none or it is damaged.
  package var xmp: XMPPacket? { xmpPackets.first.flatMap { XMPPacket($0) } }

  /// Takes an Exif block of another format, freed of what stands before its TIFF header.
  mutating func add(exif block: some RandomAccessCollection<UInt8>) {
    exifBlocks.append(ExifBlock(block)?.bytes ?? [UInt8](block))
  }

  mutating func warn(_ warning: MetadataWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}
