import SafelightCVips

extension Image {
  /// A file format that Safelight lets libvips decode.
  ///
  /// Decoders are called by name, so libvips never chooses one by itself: not the ones it marks
  /// untrusted, and not ImageMagick as the last resort.
  public enum FileFormat: String, Sendable {
    /// JPEG, by libjpeg.
    case jpeg = "jpegload_source"
    /// PNG, by libpng.
    case png = "pngload_source"
    /// TIFF, by libtiff; the first picture of several.
    case tiff = "tiffload_source"
    /// WebP, by libwebp; the first frame of an animation.
    case webp = "webpload_source"
    /// HEIC and AVIF, by libheif, turned upright by it.
    case heif = "heifload_source"
  }

  /// Opens a picture: reads its header now, and its pixels when they are asked for, which must be from
  /// top to bottom and once, so that the decoder can stream; ``inMemory()`` lifts that.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - format: What the file is, by its content.
  ///   - allowingDamage: Decodes as much as there is of a truncated or damaged file; otherwise
  ///     asking for its pixels fails.
  ///   - shrink: How much smaller a JPEG's decoder makes the picture along each side: 1, 2, 4 or 8.
  ///     Each pixel is the mean of a square of the whole picture's; other formats need 1.
  /// - Throws: ``VipsError/operation(_:detail:)`` when the header does not parse.
  public static func open(
    _ source: Source, as format: FileFormat, allowingDamage: Bool = false, shrink: Int = 1
  ) throws(VipsError) -> Image {
    if format == .heif { try Library.loadHEIFModule() }
    let (access, damage) = (
      Operation.Input.named("sequential"), Operation.Input.named(allowingDamage ? "none" : "error")
    )
    guard shrink > 1 else {
      return try Operation.image(
        format.rawValue, ["source": .source(source), "access": access, "fail_on": damage])
    }
    return try Operation.image(
      format.rawValue,
      [
        "source": .source(source), "access": access, "fail_on": damage, "shrink": .whole(shrink),
      ])
  }

  /// An image over bytes in memory, row after row, bands side by side; the bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: `width × height × bands` samples.
  ///   - width: Pixels from left to right.
  ///   - height: Pixels from top to bottom.
  ///   - bands: 1 for gray, 3 for red, green and blue.
  ///   - format: `.uint8`, `.uint16` (native byte order) or `.float`.
  /// - Throws: ``VipsError`` when the byte count does not fit the size.
  public static func fromMemory(
    _ bytes: [UInt8], width: Int, height: Int, bands: Int, format: SampleFormat
  ) throws(VipsError) -> Image {
    try Library.start()
    let vipsFormat =
      switch format {
      case .uint8: VIPS_FORMAT_UCHAR
      case .uint16: VIPS_FORMAT_USHORT
      case .float, .other: VIPS_FORMAT_FLOAT
      }
    guard
      let pointer = vips_image_new_from_memory_copy(
        bytes, bytes.count, Int32(width), Int32(height), Int32(bands), vipsFormat)
    else { throw .last("new_from_memory") }
    let image = Image(taking: pointer)
    let interpretation =
      switch (bands, format) {
      case (1...2, .uint16): "grey16"
      case (1...2, _): "b-w"
      case (_, .uint16): "rgb16"
      case (_, .float), (_, .other): "scrgb"
      default: "srgb"
      }
    return try Operation.image(
      "copy", ["in": .image(image), "interpretation": .named(interpretation)])
  }
}
