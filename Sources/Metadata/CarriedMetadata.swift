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
  /// Texts of a PNG that no other metadata are, in file order.
  var texts: [PNGText] = []
  /// All other segments, in file order.
  var others: [OtherSegment] = []
  /// The embedded color profile; nil when there is none or parts are missing.
  package internal(set) var profile: Data?
  /// The colors that a file declares by numbers; nil when it declares none.
  package internal(set) var codedColor: CodedColor?
  /// The HDR gain map of the file; nil when it has none that can be read.
  package internal(set) var gainMap: GainMap?
  /// The orientation, 1 to 8, that the boxes of a HEIF or AVIF give its pixels; 1 in other files.
  package internal(set) var turnByBoxes = 1
  /// The pictures of an animated PNG or WebP, the still one included; 1 for other files.
  package internal(set) var frameCount = 1
  /// What stands behind the picture of a JPEG, as long as it was not read.
  var behindPicture: BehindPicture?
  /// Bytes to write after the end of the render; empty for nearly every picture.
  package internal(set) var trailer = Data()
  /// Whether the gain map is one of the further images that the file lists.
  var isGainMapListed = false
  /// Whether the gain map is left out because nobody wants it.
  var leavesOutGainMap = false
  /// What a render says of its original.
  var namedOriginal = NamedOriginal.byName
  /// Metadata that cannot be carried, found while reading.
  package internal(set) var warnings: [MetadataWarning] = []

  /// Nothing to carry: the render only names its original.
  package init() {}

  /// Gathers the metadata of a photo; files of other formats yield nothing.
  ///
  /// What stands behind the picture of a JPEG is not read yet; see ``withTrailer()``.
  package init(original: PhotoBytes) {
    self.init()
    guard let format = PhotoFormat.recognized(in: original) else { return }
    format.file.metadata(&self, original)
    mendExif()
    // What an encoder wrote beside the pixels is newer than what the camera wrote.
    if codedColor == nil, exif?.isInAdobeRGB == true { codedColor = .adobeRGB }
    // A profile cannot say a high dynamic range in another way that programs agree on.
    if codedColor?.hdrTransfer == nil, let color = profile.flatMap(CodedColor.init(profile:)) {
      take(color)
    }
    // A block of a JPEG may take several segments; the render then uses as many.
    if !isJPEG { shrinkExif() }
  }

  /// Takes metadata that stand in no file.
  ///
  /// - Parameters:
  ///   - exif: An Exif block, with or without header or offset.
  ///   - xmp: An XMP packet.
  package init(exif: Data? = nil, xmp: Data? = nil) {
    self.init()
    if let exif, !exif.isEmpty { add(exif: Array(exif)) }
    mendExif()
    shrinkExif()
    if let xmp, !xmp.isEmpty { xmpPackets.append(Array(xmp)) }
  }

  /// The first Exif block; nil when there is none or it is damaged.
  package var exif: ExifBlock? { exifBlocks.first.flatMap { ExifBlock($0) } }

  /// The first XMP packet; nil when there is none or it is damaged.
  package var xmp: XMPPacket? { xmpPackets.first.flatMap { XMPPacket($0) } }

  /// A block of metadata; `nil` when the file ends before, or, with a warning, for one that is too large.
  mutating func block(_ range: Range<Int>, of file: PhotoBytes) -> [UInt8]? {
    if range.count > PhotoBytes.largestBlock, range.upperBound <= file.count {
      warn(.blockTooLarge(bytes: range.count))
    }
    return file.bytes(in: range)
  }

  mutating func take(_ color: CodedColor?) {
    codedColor = color
    if let transfer = color?.hdrTransfer { warn(.highDynamicRange(transfer)) }
  }

  /// Takes the Exif block of another format, without the bytes before its TIFF header.
  mutating func add(exif block: some RandomAccessCollection<UInt8>) {
    exifBlocks.append(ExifBlock(block)?.bytes ?? [UInt8](block))
  }

  /// Leaves out Exif blocks that cannot be read, and writes those anew that have entries that cannot be read, so that
  /// nobody finds another orientation or date in them than Safelight.
  private mutating func mendExif() {
    var blocks: [[UInt8]] = []
    swap(&blocks, &exifBlocks)
    for bytes in blocks {
      guard let block = ExifBlock(bytes) else {
        warn(.exifUnreadable)
        continue
      }
      let directories = block.structure.directories
      guard !directories.allSatisfy(\.isWhole) else {
        exifBlocks.append(bytes)
        continue
      }
      let damaged = directories.flatMap(\.damaged).map { UInt16(truncatingIfNeeded: $0) }
      if !damaged.isEmpty { warn(.exifTagsDamaged(damaged)) }
      add(built: ExifBuilder(block.structure, in: block.bytes.bytes(at:count:)))
    }
  }

  /// Rebuilds a block from another format when it is too large for one segment.
  mutating func shrinkExif() {
    for index in exifBlocks.indices where exifBlocks[index].count > ExifBuilder.largestBlock {
      guard var block = ExifBlock(exifBlocks[index]) else { continue }
      block.removeThumbnail()
      exifBlocks[index] = block.bytes
      guard block.bytes.count > ExifBuilder.largestBlock else { continue }
      let builder = ExifBuilder(block.structure, in: block.bytes.bytes(at:count:))
      exifBlocks.remove(at: index)
      add(built: builder)
      return
    }
  }

  mutating func add(built builder: ExifBuilder) {
    var builder = builder
    let result = builder.build()
    exifBlocks.append(result.bytes)
    if result.isMakerNoteMoved { warn(.makerNoteMoved) }
    if !builder.dropped.isEmpty { warn(.exifTagsNotCarried(builder.dropped.sorted())) }
  }

  mutating func warn(_ warning: MetadataWarning) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }
}

/// The segments before a render's own tables.
package struct CarriedHeader: Sendable {
  /// Everything from SOI on.
  package let bytes: Data
  /// JPEGs to write behind the render's: its gain map, where it has one.
  package let further: [Data]
  /// Bytes to write after the end of all pictures; empty for nearly every render.
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
  ///   - colors: What the colors of that profile are; nil keeps what the metadata say.
  ///   - resolution: Pixels per inch to write, for a render that was resized; nil keeps the number
  ///     of the original.
  ///   - original: What the render was made from.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  ///   - gainMap: The gain map of the render; nil when it has none.
  package func header(
    size: (width: Int, height: Int), baked orientation: Int, profile: Data?,
    colors: ExifColors? = nil, resolution: Double? = nil,
    derivedFrom original: OriginalReference, moving places: MetadataPlaces? = nil,
    with gainMap: AttachedGainMap? = nil
  ) -> CarriedHeader {
    let original = namedOriginal.reference(original)
    let whole = withTrailer()
    var warnings =
      gainMap != nil || leavesOutGainMap ? withoutGainMap(whole.warnings) : whole.warnings
    let places = places?.isIdentity == true ? nil : places
    warnings += self.warnings(ofMoving: places)
    var bytes: [UInt8] = [0xFF, 0xD8]
    if let jfif = jfif(baked: orientation, resolution: resolution) {
      bytes.append(segment: 0xE0, payload: jfif)
    }
    for block in exifBlocks {
      guard var exif = ExifBlock(block) else { continue }
      exif.patch(
        size: size, baked: orientation, resolution: resolution, colors: colors, moving: places)
      bytes.append(segment: 0xE1, header: Self.exifHeader, payload: exif.bytes)
    }
    appendXMP(
      packets(describedBy: original, &warnings), to: &bytes, warnings: &warnings, size: size,
      resolution: resolution, colors: colors, derivedFrom: original, moving: places,
      with: gainMap)
    if let gainMap { bytes += gainMap.mark }
    if let profile { bytes += ICCSegments.segments(profile) }
    if let photoshop, !photoshop.bytes.isEmpty {
      bytes.append(segment: 0xED, header: PhotoshopResources.header, payload: photoshop.bytes)
    }
    for other in others { bytes.append(segment: other.marker, payload: other.payload) }
    var room = Self.mostText
    for text in texts where text.isComment {
      // What is too long for a segment goes on in the next one.
      guard let comment = text.string(limit: room) else { break }
      room -= comment.utf8.count
      if comment.isEmpty { continue }
      bytes.append(segment: 0xFE, payload: Array(comment.utf8))
    }
    return CarriedHeader(
      bytes: Data(bytes), further: gainMap.map { [$0.jpeg] } ?? [], trailer: whole.trailer,
      warnings: warnings)
  }

  /// The packets, the first with what the texts of a PNG say.
  private func packets(
    describedBy original: OriginalReference?, _ warnings: inout [MetadataWarning]
  ) -> [[UInt8]] {
    let properties = described(for: .jpeg, &warnings).properties
    guard !properties.isEmpty else { return xmpPackets }
    let first = xmpPackets.first ?? original.map(XMPPacket.minimal) ?? XMPPacket.empty
    guard let packet = XMPPacket(first) else { return xmpPackets }
    let others = properties.filter(packet.contradicts)
    if !others.isEmpty { warnings.append(.xmpSaysOther(others.map(\.qualifiedName))) }
    return [packet.adding(properties)] + xmpPackets.dropFirst()
  }

  private func appendXMP(
    _ xmpPackets: [[UInt8]], to bytes: inout [UInt8], warnings: inout [MetadataWarning],
    size: (width: Int, height: Int),
    resolution: Double?, colors: ExifColors?, derivedFrom original: OriginalReference?,
    moving places: MetadataPlaces?, with gainMap: AttachedGainMap?
  ) {
    let extended = ExtendedXMP.changed(extendedXMP, moving: places)
    defer {
      for payload in extended?.payloads ?? extendedXMP {
        bytes.append(segment: 0xE1, payload: payload)
      }
    }
    func naming(_ packet: [UInt8]) -> [UInt8] {
      gainMap.flatMap { XMPPacket(packet)?.naming(gainMapOf: $0.jpeg.count) } ?? packet
    }
    if xmpPackets.isEmpty, original != nil || gainMap != nil {
      let packet = original.map(XMPPacket.minimal) ?? XMPPacket.empty
      bytes.append(segment: 0xE1, header: Self.xmpHeader, payload: naming(packet))
    }
    for (index, packet) in xmpPackets.enumerated() {
      let fits = packet.count <= XMPPacket.largestPacket
      // Only the first packet names the original: readers take that one.
      let reference = index == 0 ? original : nil
      guard let xmp = XMPPacket(packet) else {
        warnings.append(fits ? .xmpUnreadable : .xmpTooLarge(bytes: packet.count))
        guard let carried = fits ? packet : original.map(XMPPacket.minimal) else { continue }
        bytes.append(segment: 0xE1, header: Self.xmpHeader, payload: carried)
        continue
      }
      var patched = xmp.patched(
        size: size, resolution: resolution, colors: colors, derivedFrom: reference, moving: places)
      if let extended { patched = extended.renamed(in: patched) }
      if index == 0 { patched = naming(patched) }
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

  /// What the XMP loses because an edit moved the pixels: a panorama that is none any more, a depth map.
  func warnings(ofMoving places: MetadataPlaces?) -> [MetadataWarning] {
    guard let places else { return [] }
    let packets = (xmpPackets + [ExtendedXMP.text(extendedXMP)].compactMap(\.self))
      .compactMap { XMPPacket($0) }
    typealias Name = XMPPacket.Namespace
    let losesSphere = packets.contains { $0.has(Name.panorama) && !$0.hasSphere(after: places) }
    return (losesSphere ? [.panoramaNotCarried] : [])
      + (packets.contains { $0.has(Name.depthMap) } ? [.depthMapNotCarried] : [])
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
