import FoundationEssentials

/// The segments that stand before a render's own tables.
package struct CarriedHeader: Sendable {
  /// Everything from SOI on.
  package let bytes: Data
  /// Bytes to write behind the render's end; mostly none.
  package let trailer: Data
  /// Everything that the render does not carry, or carries changed.
  package let warnings: [MetadataWarning]
}

extension CarriedMetadata {
  static let exifHeader = Array("Exif\0\0".utf8)
  static let xmpHeader = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMPHeader = Array("http://ns.adobe.com/xmp/extension/\0".utf8)

  /// Writes the metadata for a render, true for its pixels.
  ///
  /// The order is the customary one: JFIF, Exif, XMP, extended XMP, profile, Photoshop, the rest.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels.
  ///   - profile: The ICC profile of the render's pixels; nil for none.
  ///   - resolution: Pixels per inch to note, for a render that was resized; nil keeps what is
  ///     there.
  ///   - original: What the render was made from.
  package func header(
    size: (width: Int, height: Int), baked orientation: Int, profile: Data?,
    resolution: Double? = nil, derivedFrom original: OriginalReference
  ) -> CarriedHeader {
    var warnings = warnings
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
      exif.patch(size: size, baked: orientation, resolution: resolution)
      bytes.append(segment: 0xE1, header: Self.exifHeader, payload: exif.bytes)
    }
    appendXMP(
      to: &bytes, warnings: &warnings, size: size, resolution: resolution, derivedFrom: original)
    for payload in extendedXMP { bytes.append(segment: 0xE1, payload: payload) }
    if let profile { bytes += ICCSegments.segments(profile) }
    if let photoshop, !photoshop.bytes.isEmpty {
      bytes.append(segment: 0xED, header: PhotoshopResources.header, payload: photoshop.bytes)
    }
    for other in others { bytes.append(segment: other.marker, payload: other.payload) }
    return CarriedHeader(bytes: Data(bytes), trailer: trailer, warnings: warnings)
  }

  private func appendXMP(
    to bytes: inout [UInt8], warnings: inout [MetadataWarning], size: (width: Int, height: Int),
    resolution: Double?, derivedFrom original: OriginalReference
  ) {
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
      let patched = xmp.patched(size: size, resolution: resolution, derivedFrom: reference)
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
