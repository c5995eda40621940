import FoundationEssentials
import SafelightFormats

extension CarriedMetadata {
  /// The metadata of a render that is not a JPEG, each block in the place that its format has for it.
  package struct Blocks {
    /// The first Exif block without its `Exif` header, patched for the render.
    package let exif: [UInt8]?
    /// The first XMP packet, patched for the render, with what the format has no place for.
    package let xmp: [UInt8]?
    /// The IPTC records.
    package let iptc: [UInt8]?
    /// Photoshop's resources but for the IPTC records, one after the other.
    package let photoshop: [UInt8]?
    /// Chunks of a PNG: its resolution and texts.
    package let chunks: [UInt8]
    /// The resolution of the render.
    let density: PixelDensity?
    /// Bytes behind the picture and other metadata that the file does not carry, or carries changed.
    package let warnings: [MetadataWarning]
  }

  /// Places the metadata in a render that is not a JPEG.
  ///
  /// - Parameters:
  ///   - format: The format of the render.
  ///   - size: Width and height of the render in pixels.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels.
  ///   - colors: What the colors of the render are; nil keeps what the metadata say.
  ///   - resolution: Pixels per inch to write, for a render that was resized; nil keeps the number of the original.
  ///   - original: What the render was made from.
  ///   - places: Where places of the original are in the render; nil when nothing moves.
  package func blocks(
    for format: PhotoFormat, size: (width: Int, height: Int), baked orientation: Int,
    colors: ExifColors? = nil, resolution: Double? = nil,
    derivedFrom original: OriginalReference, moving places: MetadataPlaces? = nil
  ) -> Blocks {
    let original = namedOriginal.reference(original)
    let minimal = original.map(XMPPacket.minimal) ?? XMPPacket.empty
    let whole = withTrailer()
    var warnings = leavesOutGainMap ? withoutGainMap(whole.warnings) : whole.warnings
    if !whole.trailer.isEmpty { warnings.append(.trailerNotCarried(bytes: whole.trailer.count)) }
    let places = places?.isIdentity == true ? nil : places
    warnings += self.warnings(ofMoving: places)
    var exif = exif
    exif?.patch(
      size: size, baked: orientation, resolution: resolution, colors: colors, moving: places)
    let density = exif?.density ?? jfifDensity(baked: orientation, resolution: resolution)

    var described = described(for: format, &warnings)
    if format.hasOnlyExifAndXMP, exif?.density == nil, let density { described.add(density) }
    var packet = xmpPackets.first.map { XMPPacket($0) } ?? XMPPacket(minimal)
    if packet == nil {
      warnings.append(.xmpNotCarried)
      packet = XMPPacket(minimal)
    }
    if let text = ExtendedXMP.text(extendedXMP), let extended = XMPPacket(text) {
      packet = packet.flatMap { XMPPacket($0.merging(extended)) } ?? packet
    } else if !extendedXMP.isEmpty {
      warnings.append(.xmpNotCarried)
    }
    if let found = packet {
      let replaces = hasNewerIPTC(for: format)
      let others =
        replaces ? [] : described.properties.filter { $0.prefix != "tiff" && found.contradicts($0) }
      if !others.isEmpty {
        warnings.append(.xmpSaysOther(others.map(\.qualifiedName)))
      }
      packet = XMPPacket(found.adding(described.properties, replacing: replaces)) ?? found
    }
    // A picture that says nothing has no packet.
    let xmp: [UInt8]? =
      original == nil && xmpPackets.isEmpty && described.properties.isEmpty
      ? nil
      : packet?.patched(
        size: size, resolution: resolution, colors: colors, derivedFrom: original, moving: places)
        ?? minimal
    let keepsResources = format == .tiff
    var resources = photoshop
    resources?.digestPadded()
    resources?.removeIPTC()
    return Blocks(
      exif: exif?.bytes,
      xmp: xmp,
      iptc: keepsResources ? photoshop?.iptc : nil,
      photoshop: keepsResources ? resources.flatMap { $0.bytes.isEmpty ? nil : $0.bytes } : nil,
      chunks: format == .png ? pngChunks(density) : [], density: density, warnings: warnings)
  }

  /// The most bytes of a PNG's texts in another format.
  static let mostText = 4 << 20

  /// What a render says in XMP, because its format has no other place for it.
  func described(
    for format: PhotoFormat, _ warnings: inout [MetadataWarning]
  ) -> DescribedProperties {
    var described = DescribedProperties()
    if let iptc = photoshop?.iptc, !IPTCDataSets(iptc).isWhole {
      warnings.append(.iptcUnreadable(isCarried: format == .jpeg || format == .tiff))
    }
    if let photoshop, format == .png || format.hasOnlyExifAndXMP {
      photoshop.iptc.map { described.add(IPTCRecords($0)) }
      described.add(photoshop)
      if !described.leftOut.isEmpty { warnings.append(.iptcNotCarried(described.leftOut)) }
    }
    guard format != .png else { return described }
    var keywords: [String] = []
    // The most bytes of texts, which may be packed, in all properties together.
    var room = Self.mostText
    for text in texts {
      // A JPEG has comments of its own.
      if format == .jpeg, text.isComment { continue }
      if text.isComment, let own = exif?.userComment {
        if text.string(limit: room) != own { warnings.append(.commentNotCarried) }
        continue
      }
      if DescribedProperties.hasPlace(for: text.keyword) {
        let contents = text.string(limit: room)
        // Nobody unpacks one text after the other that is too long.
        room = contents.map { room - $0.utf8.count } ?? 0
        if let contents, described.add(keyword: text.keyword, contents) { continue }
      }
      keywords.append(text.keyword)
    }
    if !keywords.isEmpty { warnings.append(.textNotCarried(keywords: keywords)) }
    let comment = comments.joined(separator: "\n")
    if format != .jpeg, !comment.isEmpty {
      if let own = exif?.userComment {
        if comment != own { warnings.append(.commentNotCarried) }
      } else {
        described.add(comment: comment)
      }
    }
    return described
  }

  /// Whether another program has changed the IPTC records after the XMP, and the format has no records.
  private func hasNewerIPTC(for format: PhotoFormat) -> Bool {
    format != .tiff && photoshop?.hasNewerIPTC == true
  }

  /// The comments of a JPEG.
  var comments: [String] {
    others.filter { $0.marker == 0xFE }.compactMap { segment in
      let text = String(utf8OrLatin1: segment.payload.prefix { $0 != 0 })
      let trimmed = text.withoutOuterSpaces
      return trimmed.isEmpty ? nil : trimmed
    }
  }

  /// The chunks of a PNG for its resolution, its own texts, and comments of other formats. Source: PNG specification,
  /// third edition, 11.3.
  private func pngChunks(_ density: PixelDensity?) -> [UInt8] {
    var chunks: [UInt8] = []
    if let perMeter = density?.perMeter {
      var content: [UInt8] = []
      content.append(uint32: perMeter.across)
      content.append(uint32: perMeter.down)
      chunks += PNGChunk.bytes("pHYs", content + [1])
    }
    for text in texts { chunks += PNGChunk.bytes(text.type, text.bytes) }
    for comment in comments {
      // The keyword, no packing, no language and no translated keyword.
      chunks += PNGChunk.bytes("iTXt", Array("Comment\0\0\0\0\0".utf8) + Array(comment.utf8))
    }
    return chunks
  }

  /// The resolution that JFIF says, or a PNG's own chunk.
  private func jfifDensity(baked orientation: Int, resolution: Double?) -> PixelDensity? {
    guard let jfif, let unit = jfif.byte(at: 7), unit == 1 || unit == 2,
      let x = jfif.uint16(at: 8), let y = jfif.uint16(at: 10), x > 0, y > 0
    else { return resolution.map { PixelDensity(across: $0, down: $0, unit: .inch) } }
    if let resolution { return PixelDensity(across: resolution, down: resolution, unit: .inch) }
    let swaps = (5...8).contains(orientation)
    return PixelDensity(
      across: Double(swaps ? y : x), down: Double(swaps ? x : y),
      unit: unit == 1 ? .inch : .centimeter)
  }
}

extension ExifBlock {
  /// The resolution that the block says; nil when it says none.
  var density: PixelDensity? {
    guard let across = rational(main[Tag.xResolution]), let down = rational(main[Tag.yResolution]),
      across > 0, down > 0, across < 4e6, down < 4e6
    else { return nil }
    // Inches are what a block without a unit means (TIFF 6.0).
    switch integer(main[Tag.resolutionUnit]) ?? 2 {
    case 2: return PixelDensity(across: across, down: down, unit: .inch)
    case 3: return PixelDensity(across: across, down: down, unit: .centimeter)
    default: return nil
    }
  }
}

extension PhotoFormat {
  /// Whether metadata has places in Exif and XMP only.
  fileprivate var hasOnlyExifAndXMP: Bool { [.webp, .heic, .avif].contains(self) }
}
