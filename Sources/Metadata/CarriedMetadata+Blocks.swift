extension CarriedMetadata {
  /// The metadata as separate blocks, for encoders that place them themselves.
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
  package func blocks(
    size: (width: Int, height: Int), baked orientation: Int,
    derivedFrom original: OriginalReference
  ) -> Blocks {
    var patchedExif = exif
    patchedExif?.patch(size: size, baked: orientation, resolution: nil)
    return Blocks(
      exif: patchedExif?.bytes,
      xmp: xmp?.patched(size: size, derivedFrom: original)
        ?? XMPPacket.minimal(derivedFrom: original),
      // TIFF counts IPTC in units of four bytes.
      iptc: photoshop?.iptc.map { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) })
  }
}
