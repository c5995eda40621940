import FoundationEssentials
import SafelightFormats

/// The metadata of an original that its render carries.
///
/// It is made once from the original's bytes. Then
/// ``header(size:baked:profile:resolution:derivedFrom:)`` writes the segments before the render's
/// own tables.
package struct CarriedMetadata: Sendable {
  /// A segment that is carried without changes.
  struct OtherSegment: Sendable, Equatable {
    var marker: UInt8
    var payload: [UInt8]
  }

  /// Whether the original is a JPEG. Its render has a JFIF segment when the original has one.
  var isJPEG = false
  /// Payload of JFIF's APP0 without its thumbnail; nil when the original has none.
  var jfif: [UInt8]?
  /// Exif blocks in file order, without the `Exif` header; several only when a program repeated it.
  var exifBlocks: [[UInt8]] = []
  /// XMP packets in file order; several only when a program repeated it.
  var xmpPackets: [[UInt8]] = []
  /// Payloads of the segments of extended XMP, header included.
  var extendedXMP: [[UInt8]] = []
  /// Photoshop resources, one after the other; nil when there are none.
  var photoshop: PhotoshopResources?
  /// All other segments, in file order.
  var others: [OtherSegment] = []
  /// The embedded color profile of a JPEG or PNG; nil when there is none or parts are missing.
  ///
  /// Other formats' profiles come from the decoder.
  package internal(set) var profile: Data?
  /// The colors that a HEIF, AVIF or PNG file declares by numbers; nil when it declares none.
  package private(set) var codedColor: CodedColor?
  /// The orientation, 1 to 8, that the boxes of a HEIF or AVIF give its pixels; 1 in other files.
  package private(set) var turnByBoxes = 1
  /// Bytes to write after the end of the render; empty for nearly every picture.
  package internal(set) var trailer = Data()
  /// Metadata that cannot be carried, found while reading.
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
      // A block of a JPEG may take several segments; the render then uses as many.
      if bytes.uint16(at: 0) != 0xFFD8 { shrinkExif() }
    }
  }

  /// Takes the metadata of a HEIF or AVIF.
  ///
  /// - Parameters:
  ///   - exif: An Exif block to take in place of the file's own, with or without header or offset.
  ///   - xmp: An XMP packet to take in place of the file's own.
  ///   - file: The whole file, memory mapped if it is large. Its boxes name an HDR transfer, gain
  ///     maps and depth maps.
  package init(exif: Data? = nil, xmp: Data? = nil, file: Data = Data()) {
    self.init()
    let media = ISOMediaFile(file)
    if let exif = exif.map(Array.init) ?? media?.exifItem.flatMap({ media?.content(of: $0) }),
      !exif.isEmpty
    {
      add(exif: exif)
    }
    shrinkExif()
    if let xmp = xmp.map(Array.init) ?? media?.xmpItem.flatMap({ media?.content(of: $0) }),
      !xmp.isEmpty
    {
      xmpPackets.append(xmp)
    }
    guard let media else { return }
    if media.hasAuxiliary("urn:com:apple:photo:2020:aux:hdrgainmap") {
      warn(.gainMapNotCarried(.apple))
    }
    if media.hasAuxiliary("urn:mpeg:hevc:2015:auxid:2") { warn(.depthMapNotCarried) }
    if media.items.contains(where: { $0.type == "tmap" }) { warn(.gainMapNotCarried(.iso)) }
    take(CodedColor(media))
    turnByBoxes = media.primaryOrientation
  }

  /// The first Exif block; nil when there is none or it is damaged.
  package var exif: ExifBlock? { exifBlocks.first.flatMap { ExifBlock($0) } }

  /// The first XMP packet; nil when there is none or it is damaged.
  package var xmp: XMPPacket? { xmpPackets.first.flatMap { XMPPacket($0) } }

  mutating func take(_ color: CodedColor?) {
    codedColor = color
    if let transfer = color?.hdrTransfer { warn(.highDynamicRange(transfer)) }
  }

  /// Takes the Exif block of another format, without the bytes before its TIFF header.
  mutating func add(exif block: some RandomAccessCollection<UInt8>) {
    exifBlocks.append(ExifBlock(block)?.bytes ?? [UInt8](block))
  }

  mutating func warn(_ warning: MetadataWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// The segments before a render's own tables.
package struct CarriedHeader: Sendable {
  /// Everything from SOI on.
  package let bytes: Data
  /// Bytes to write after the end of the render; empty for nearly every picture.
  package let trailer: Data
  /// The metadata that the render does not carry, or carries changed.
  package let warnings: [MetadataWarning]
}

extension CarriedMetadata {
  static let exifHeader = Array("Exif\0\0".utf8)
  static let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMPHeader = Array("http://ns.adobe.com/xmp/extension/\0".utf8)

  /// Writes the metadata for a render, with the size and orientation of its pixels.
  ///
  /// The order is the customary one: JFIF, Exif, XMP, extended XMP, profile, Photoshop, the rest.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels.
  ///   - profile: The ICC profile of the render's pixels; nil for none.
  ///   - resolution: Pixels per inch to write, for a render that was resized; nil keeps the number
  ///     of the original.
  ///   - original: What the render was made from.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  package func header(
    size: (width: Int, height: Int), baked orientation: Int, profile: Data?,
    resolution: Double? = nil, derivedFrom original: OriginalReference,
    moving places: MetadataPlaces? = nil
  ) -> CarriedHeader {
    var warnings = warnings
    let places = places?.isIdentity == true ? nil : places
    var bytes: [UInt8] = [0xFF, 0xD8]
    if let jfif = jfif(baked: orientation, resolution: resolution) {
      bytes.append(segment: 0xE0, payload: jfif)
    }
    for block in exifBlocks {
      guard var exif = ExifBlock(block) else {
        warnings.append(.exifUnreadable)
        bytes.append(segment: 0xE1, header: Self.exifHeader, payload: block)
        continue
      }
      exif.patch(size: size, baked: orientation, resolution: resolution, moving: places)
      bytes.append(segment: 0xE1, header: Self.exifHeader, payload: exif.bytes)
    }
    appendXMP(
      to: &bytes, warnings: &warnings, size: size, resolution: resolution, derivedFrom: original,
      moving: places)
    if let profile { bytes += ICCSegments.segments(profile) }
    if let photoshop, !photoshop.bytes.isEmpty {
      bytes.append(segment: 0xED, header: PhotoshopResources.header, payload: photoshop.bytes)
    }
    for other in others { bytes.append(segment: other.marker, payload: other.payload) }
    return CarriedHeader(bytes: Data(bytes), trailer: trailer, warnings: warnings)
  }

  private func appendXMP(
    to bytes: inout [UInt8], warnings: inout [MetadataWarning], size: (width: Int, height: Int),
    resolution: Double?, derivedFrom original: OriginalReference, moving places: MetadataPlaces?
  ) {
    let extended = places.flatMap { ExtendedXMP.moved(extendedXMP, by: $0) }
    defer {
      for payload in extended?.payloads ?? extendedXMP {
        bytes.append(segment: 0xE1, payload: payload)
      }
    }
    if xmpPackets.isEmpty {
      bytes.append(
        segment: 0xE1, header: Self.xmpHeader, payload: XMPPacket.minimal(derivedFrom: original))
    }
    for (index, packet) in xmpPackets.enumerated() {
      let fits = packet.count <= XMPPacket.largestPacket
      // Only the first packet names the original: readers take that one.
      let reference = index == 0 ? original : nil
      guard let xmp = XMPPacket(packet) else {
        warnings.append(fits ? .xmpUnreadable : .xmpTooLarge(bytes: packet.count))
        let carried = fits ? packet : XMPPacket.minimal(derivedFrom: original)
        bytes.append(segment: 0xE1, header: Self.xmpHeader, payload: carried)
        continue
      }
      var patched = xmp.patched(
        size: size, resolution: resolution, derivedFrom: reference, moving: places)
      if let extended { patched = extended.renamed(in: patched) }
      if patched.count <= XMPPacket.largestPacket {
        bytes.append(segment: 0xE1, header: Self.xmpHeader, payload: patched)
      } else if extendedXMP.isEmpty, index == 0 {
        bytes += ExtendedXMP.segments(patched, derivedFrom: original)
      } else {
        warnings.append(fits ? .xmpFull : .xmpTooLarge(bytes: packet.count))
        if fits { bytes.append(segment: 0xE1, header: Self.xmpHeader, payload: packet) }
      }
    }
  }

  /// JFIF's payload for a render; nil when the original is a JPEG without it, or when an Exif block
  /// stands alone, as cameras write it.
  private func jfif(baked orientation: Int, resolution: Double?) -> [UInt8]? {
    guard var payload = jfif ?? (exifBlocks.isEmpty && !isJPEG ? Self.plainJFIF : nil) else {
      return nil
    }
    if (5...8).contains(orientation) {
      payload.replaceSubrange(8..<12, with: payload[10..<12] + payload[8..<10])
    }
    if let resolution, payload[7] != 0 || jfif == nil, (1...65_535).contains(resolution) {
      payload[7] = 1
      payload.set(uint16: Int(resolution.rounded()), at: 8, .big)
      payload.set(uint16: Int(resolution.rounded()), at: 10, .big)
    }
    return payload
  }

  /// JFIF 1.01 with square pixels and no claim about their size.
  static let plainJFIF: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
}

extension CarriedMetadata {
  /// The metadata as separate blocks, for encoders that place blocks themselves.
  package struct Blocks {
    /// The first Exif block without its `Exif` header, patched for the render.
    package let exif: [UInt8]?
    /// The first XMP packet, patched for the render.
    package let xmp: [UInt8]?
    /// The IPTC records, padded to a multiple of four bytes.
    package let iptc: [UInt8]?
  }

  /// Patches the blocks for a render that is not a JPEG.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels.
  ///   - original: What the render was made from.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  package func blocks(
    size: (width: Int, height: Int), baked orientation: Int,
    derivedFrom original: OriginalReference, moving places: MetadataPlaces? = nil
  ) -> Blocks {
    let places = places?.isIdentity == true ? nil : places
    var patchedExif = exif
    patchedExif?.patch(size: size, baked: orientation, resolution: nil, moving: places)
    return Blocks(
      exif: patchedExif?.bytes,
      xmp: xmp?.patched(size: size, derivedFrom: original, moving: places)
        ?? XMPPacket.minimal(derivedFrom: original),
      // TIFF counts IPTC in units of four bytes.
      iptc: photoshop?.iptc.map { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) })
  }
}

extension CarriedMetadata {
  mutating func read(jpeg bytes: UnsafeRawBufferPointer, _ walk: JPEGSegments) {
    isJPEG = true
    var profileParts: [[UInt8]] = []
    var resources: [UInt8] = []
    var furtherImages: MultiPictureIndex?
    for segment in walk.segments {
      let payload = [UInt8](bytes[segment.payload])
      switch segment.marker {
      case 0xE0: read(app0: payload)
      case 0xE1: read(app1: payload)
      case 0xE2 where payload.has("ICC_PROFILE\0"): profileParts.append(payload)
      case 0xE2 where payload.has("MPF\0"):
        furtherImages = MultiPictureIndex(payload, at: segment.payload.lowerBound)
      case 0xE2 where payload.has("urn:iso:std:iso:ts:21496:-1"): warn(.gainMapNotCarried(.iso))
      case 0xEB where payload.has("JP"): warn(.contentCredentialsNotCarried)
      case 0xEB where payload.has("HDR_RI"): warn(.gainMapNotCarried(.jpegHDR))
      case 0xED where payload.has("Photoshop 3.0\0"):
        resources += payload.dropFirst(PhotoshopResources.header.count)
      // Adobe's APP14 describes the encoding of the original; the render has its own.
      case 0xEE where payload.has("Adobe"): break
      case 0xE2...0xEF, 0xFE: others.append(OtherSegment(marker: segment.marker, payload: payload))
      default: break
      }
    }
    if !resources.isEmpty {
      var resources = PhotoshopResources(resources)
      resources.removeThumbnails()
      photoshop = resources
    }
    if !profileParts.isEmpty {
      profile = ICCSegments.joined(profileParts)
      if profile == nil { warn(.profileIncomplete) }
    }
    readGainMapMarks()
    readTrailer(of: bytes, walk, furtherImages)
  }

  private mutating func read(app0 payload: [UInt8]) {
    if payload.has("JFIF\0"), payload.count >= 12 {
      // Apple marks multi-picture files after the density. A render has neither mark nor thumbnail.
      if jfif == nil { jfif = payload[..<12] + [0, 0] }
    } else if !payload.has("JFXX\0"), !payload.has("JFIF\0") {
      others.append(OtherSegment(marker: 0xE0, payload: payload))
    }
  }

  private mutating func read(app1 payload: [UInt8]) {
    if payload.has("Exif\0") {
      let block = Array(payload.dropFirst(Self.exifHeader.count))
      // A block too large for one segment continues in the next one, without a TIFF header.
      if TIFFHeader(block) == nil, let last = exifBlocks.indices.last {
        exifBlocks[last] += block
      } else {
        exifBlocks.append(block)
      }
    } else if payload.has("http://ns.adobe.com/xmp/extension/\0") {
      extendedXMP.append(payload)
    } else if let header = payload.offset(of: "ns.adobe.com/xap/1.0/\0", in: 0..<48) {
      // Some writers get the first letters of the header wrong.
      xmpPackets.append(Array(payload[(header + 22)...]))
    } else if payload.has("<?xpacket") || payload.has("<x:xmpmeta") {
      xmpPackets.append(payload)
    } else {
      others.append(OtherSegment(marker: 0xE1, payload: payload))
    }
  }

  private mutating func readGainMapMarks() {
    for packet in xmpPackets {
      // A namespace alone proves nothing: programs declare namespaces that they do not use.
      let elements = XMPPacket(packet)?.tree.elements ?? []
      let used = Set(elements.flatMap { [$0.namespace] + $0.attributes.map(\.namespace) })
      if used.contains(XMPPacket.Namespace.hdrgm) { warn(.gainMapNotCarried(.adobe)) }
      if used.contains(XMPPacket.Namespace.appleGainMap) { warn(.gainMapNotCarried(.apple)) }
    }
  }

  private mutating func readTrailer(
    of bytes: UnsafeRawBufferPointer, _ walk: JPEGSegments, _ index: MultiPictureIndex?
  ) {
    let further = index?.images.dropFirst().filter { $0.lowerBound < bytes.count } ?? []
    if let index, index.count > 1 { warn(.furtherImagesNotCarried(count: index.count - 1)) }
    for image in further.prefix(16) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[image.clamped(to: 0..<bytes.count)])
      for kind in JPEGTrailer.gainMaps(in: rest) { warn(.gainMapNotCarried(kind)) }
    }
    guard let end = walk.endOfImage(in: bytes), end < bytes.count else { return }
    let found = JPEGTrailer(bytes, from: end, covered: Array(further))
    for kind in found.gainMaps { warn(.gainMapNotCarried(kind)) }
    trailer = Data(bytes[found.carried])
    for warning in found.warnings { warn(warning) }
  }
}
