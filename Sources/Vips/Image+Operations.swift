import SafelightCVips

extension Image {
  /// The picture over an opaque white background, without its alpha band.
  package func flattenedOnWhite() throws(VipsError) -> Image {
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

  /// The first bands of each pixel.
  package func firstBands(_ count: Int) throws(VipsError) -> Image {
    try Operation.image(
      "extract_band", ["in": .image(self), "band": .whole(0), "n": .whole(count)])
  }

  /// The picture converted by lcms2 from its own profile to sRGB, 16 bits a channel.
  ///
  /// - Parameter fallback: The name of the libvips profile to assume where the picture has none,
  ///   or a broken one: `cmyk` or `srgb`.
  package func convertedToSRGB16(assuming fallback: String) throws(VipsError) -> Image {
    try Operation.image(
      "icc_transform",
      [
        "in": .image(self), "output_profile": .named("srgb"), "embedded": .flag(true),
        "input_profile": .named(fallback), "intent": .named("relative"),
        "black_point_compensation": .flag(true), "depth": .whole(16),
      ])
  }

  /// The picture in 16-bit sRGB, from a space with a fixed meaning, such as Lab.
  package func inSRGB16() throws(VipsError) -> Image {
    try Operation.image("colourspace", ["in": .image(self), "space": .named("rgb16")])
  }

  /// The mean of all bands of all pixels.
  package func average() throws(VipsError) -> Double {
    try Operation.number("avg", ["in": .image(self)])
  }

  /// A 16-bit image in 8 bits, each code rounded to the nearest.
  package func roundedToEightBits() throws(VipsError) -> Image {
    try mappingScanlines(bands: bands, format: .uint8) { [bands] line in
      let input = line.input.assumingMemoryBound(to: UInt16.self)
      let output = line.output.assumingMemoryBound(to: UInt8.self)
      for index in 0..<(line.count * bands) {
        // 65,535 is 255 times 257, so the nearest code needs no fractions.
        output[index] = UInt8((Int(input[index]) + 128) / 257)
      }
    }
  }

  /// The picture turned and mirrored as an EXIF orientation from 1 to 8 says; other numbers change
  /// nothing.
  ///
  /// Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
  package func upright(from orientation: Int) throws(VipsError) -> Image {
    switch orientation {
    case 2: try flipped("horizontal")
    case 3: try turned("d180")
    case 4: try flipped("vertical")
    case 5: try turned("d90").flipped("horizontal")
    case 6: try turned("d90")
    case 7: try turned("d270").flipped("horizontal")
    case 8: try turned("d270")
    default: self
    }
  }

  /// A part of the picture, which must lie inside it.
  package func part(left: Int, top: Int, width: Int, height: Int) throws(VipsError) -> Image {
    try Operation.image(
      "extract_area",
      [
        "input": .image(self), "left": .whole(left), "top": .whole(top), "width": .whole(width),
        "height": .whole(height),
      ])
  }

  /// The picture made smaller or larger, with libvips's Lanczos kernel.
  package func resized(width: Int, height: Int) throws(VipsError) -> Image {
    try Operation.image(
      "resize",
      [
        "in": .image(self), "scale": .number(Double(width) / Double(self.width)),
        "vscale": .number(Double(height) / Double(self.height)),
      ])
  }

  private func turned(_ angle: String) throws(VipsError) -> Image {
    try Operation.image("rot", ["in": .image(self), "angle": .named(angle)])
  }

  private func flipped(_ direction: String) throws(VipsError) -> Image {
    try Operation.image("flip", ["in": .image(self), "direction": .named(direction)])
  }

  /// Text drawn by Pango: one band of 8 bits, 255 where there is ink, no larger than the ink.
  ///
  /// - Parameters:
  ///   - markup: The text in Pango's markup: `&`, `<` and `>` have to be escaped.
  ///   - font: A font as Pango describes it, such as `sans 24px`.
  /// - Throws: ``VipsError/operation(_:detail:)`` when there is no ink, or the markup is broken.
  package static func text(_ markup: String, font: String) throws(VipsError) -> Image {
    try Operation.image("text", ["text": .named(markup), "font": .named(font)])
  }

  /// The offset of the first pixel. For ``text(_:font:)`` it is the distance of the ink from the
  /// left and the top of its line.
  package var offset: (x: Int, y: Int) {
    (Int(vips_image_get_xoffset(pointer)), Int(vips_image_get_yoffset(pointer)))
  }
}
