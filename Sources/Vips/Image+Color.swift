extension Image {
  /// The picture over an opaque white background, without its alpha band.
  public func flattenedOnWhite() throws(VipsError) -> Image {
    let white: Double =
      switch sampleFormat {
      case .uint8: 255
      case .uint16: 65_535
      case .float, .other: 1
      }
    return try Operation.image(
      "flatten",
      ["in": .image(self), "background": .numbers([white]), "max_alpha": .number(white)])
  }

  /// The first bands of each pixel; the rest is left out.
  public func firstBands(_ count: Int) throws(VipsError) -> Image {
    try Operation.image(
      "extract_band", ["in": .image(self), "band": .whole(0), "n": .whole(count)])
  }

  /// The picture converted by lcms2 from its own profile to sRGB, 16 bits a channel.
  ///
  /// - Parameter fallback: The name of the libvips profile to assume where the picture has none,
  ///   or a broken one: `cmyk` or `srgb`.
  public func convertedToSRGB16(assuming fallback: String) throws(VipsError) -> Image {
    try Operation.image(
      "icc_transform",
      [
        "in": .image(self), "output_profile": .named("srgb"), "embedded": .flag(true),
        "input_profile": .named(fallback), "intent": .named("relative"),
        "black_point_compensation": .flag(true), "depth": .whole(16),
      ])
  }

  /// The picture in libvips's 16-bit sRGB, for spaces that have a fixed meaning, such as Lab.
  public func inSRGB16() throws(VipsError) -> Image {
    try Operation.image("colourspace", ["in": .image(self), "space": .named("rgb16")])
  }

  /// The mean of all bands of all pixels.
  public func average() throws(VipsError) -> Double {
    try Operation.number("avg", ["in": .image(self)])
  }
}
