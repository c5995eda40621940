extension CarriedMetadata {
  /// The metadata as separate blocks, for encoders that place them themselves.
  package struct Blocks {
    /// The first Exif block with its `Exif` header, patched for the render.
    package let exif: [UInt8]?
    /// The first XMP packet, patched for the render.
    package let xmp: [UInt8]?
    /// The IPTC records.
    package let iptc: [UInt8]?
  }

  /// Patches the blocks for a render that is not a JPEG.
  ///
  /// - Parameters:
  ///   - size: Width and height of the render in pixels.
  ///   - orientation: The orientation, 1 to 8, that was applied to the pixels.
  ///   - original: What the render was made from.
  package func blocks(
    size: (width: Int, height: Int), baked orientation: Int,
    derivedFrom original: OriginalReference
  ) -> Blocks {
    var patchedExif = exif
    patchedExif?.patch(size: size, baked: orientation, resolution: nil)
    return Blocks(
      exif: patchedExif.map { Self.exifHeader + $0.bytes },
      xmp: xmp?.patched(size: size, derivedFrom: original)
        ?? XMPPacket.minimal(derivedFrom: original),
      iptc: photoshop?.iptc)
  }
}
