import SafelightCVips

/// An image of libvips: instructions for pixels, which are computed when they are read.
///
/// Images do not change: each method gives a new image.
///
/// `@unchecked Sendable` because libvips images do not change after they are built and may be read
/// from any thread. The object owns exactly one reference and releases it in `deinit`.
package final class Image: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<VipsImage>

  /// Takes ownership of a reference.
  init(taking pointer: UnsafeMutablePointer<VipsImage>) {
    self.pointer = pointer
  }

  deinit {
    g_object_unref(pointer)
  }

  /// How the numbers of one band are stored.
  package enum SampleFormat: Sendable, Hashable {
    /// Whole numbers from 0 to 255.
    case uint8
    /// Whole numbers from 0 to 65,535.
    case uint16
    /// 32-bit floating point.
    case float
    /// Anything else libvips can hold, such as 32-bit integers or complex numbers.
    case other
  }

  /// What the bands of an image mean.
  package enum Interpretation: Sendable, Hashable {
    /// One band of gray, 8 or 16 bits.
    case gray
    /// Red, green and blue in the picture's own profile, 8 or 16 bits.
    case rgb
    /// Cyan, magenta, yellow and black.
    case cmyk
    /// Linear light with sRGB primaries, in floating point.
    case linear
    /// CIE Lab, however its numbers are packed.
    case lab
    /// Another space libvips can convert from.
    case other
  }

  /// Pixels from left to right.
  package var width: Int { Int(vips_image_get_width(pointer)) }
  /// Pixels from top to bottom.
  package var height: Int { Int(vips_image_get_height(pointer)) }
  /// Numbers in a pixel, alpha included.
  package var bands: Int { Int(vips_image_get_bands(pointer)) }
  /// Whether the last band is alpha. Packed pixels, such as those of an 8-bit Lab TIFF, have four
  /// bands without alpha.
  package var hasAlpha: Bool {
    vips_image_get_coding(pointer) == VIPS_CODING_NONE && vips_image_hasalpha(pointer) != 0
  }

  /// How the numbers of one band are stored.
  package var sampleFormat: SampleFormat {
    switch vips_image_get_format(pointer) {
    case VIPS_FORMAT_UCHAR: .uint8
    case VIPS_FORMAT_USHORT: .uint16
    case VIPS_FORMAT_FLOAT: .float
    default: .other
    }
  }

  /// What the bands mean.
  package var interpretation: Interpretation {
    switch vips_image_guess_interpretation(pointer) {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: .gray
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16: .rgb
    case VIPS_INTERPRETATION_CMYK: .cmyk
    case VIPS_INTERPRETATION_scRGB: .linear
    case VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABQ, VIPS_INTERPRETATION_LABS: .lab
    default: .other
    }
  }

  /// Every pixel, row after row, its bands side by side, in the image's own sample format.
  package func pixelBytes() throws(VipsError) -> [UInt8] {
    var size = 0
    guard let memory = vips_image_write_to_memory(pointer, &size) else {
      throw VipsError.last("write_to_memory")
    }
    defer { g_free(memory) }
    return Array(UnsafeRawBufferPointer(start: memory, count: size))
  }

  /// Ends the computation of this image's pixels, from any thread. The code that reads the pixels
  /// gets an error.
  package func stopComputing() {
    vips_image_set_kill(pointer, 1)
  }

  /// The same pixels, computed now and kept in memory. They can be read in any order.
  package func inMemory() throws(VipsError) -> Image {
    guard let copy = vips_image_copy_memory(pointer) else { throw VipsError.last("copy_memory") }
    // What the decoder of HEIC and AVIF attached lies in the memory of its own picture, which ends before the copy does.
    // Source: libvips 8.14 (`heifload.c`).
    if copy != pointer {
      for name in Attachment.allCases {
        guard let bytes = attachment(name) else { continue }
        vips_image_set_blob_copy(copy, name.rawValue, bytes, bytes.count)
      }
    }
    return Image(taking: copy)
  }
}

extension Image {
  /// The picture over an opaque white background, without its alpha band.
  package func flattenedOnWhite() throws(VipsError) -> Image {
    let white: Double =
      switch sampleFormat {
      case .uint8: 255
      case .uint16: 65_535
      case .float, .other: 1
      }
    // White is no ink.
    let background = interpretation == .cmyk ? 0 : white
    return try Operation.image(
      "flatten",
      ["in": .image(self), "background": .numbers([background]), "max_alpha": .number(white)])
  }

  /// The same numbers, meant as cyan, magenta, yellow and black.
  package func meaningInk() throws(VipsError) -> Image {
    try Operation.image("copy", ["in": .image(self), "interpretation": .named("cmyk")])
  }

  /// The first bands of each pixel.
  package func firstBands(_ count: Int) throws(VipsError) -> Image {
    try Operation.image(
      "extract_band", ["in": .image(self), "band": .whole(0), "n": .whole(count)])
  }

  /// The inks of a picture without a profile converted to sRGB, 16 bits a channel, by libvips's own profile of inks.
  package func convertedFromCMYKToSRGB16() throws(VipsError) -> Image {
    try Operation.image(
      "icc_transform",
      [
        "in": .image(self), "output_profile": .named("srgb"), "input_profile": .named("cmyk"),
        "intent": .named("relative"), "black_point_compensation": .flag(true),
        "depth": .whole(16),
      ])
  }

  /// L*, a* and b* of a picture in CIE Lab, in floating point.
  package func unpackedLab() throws(VipsError) -> Image {
    try Operation.image("colourspace", ["in": .image(self), "space": .named("lab")]).firstBands(3)
  }

  /// The picture in 16-bit sRGB, from a space with a fixed meaning, such as XYZ.
  package func inSRGB16() throws(VipsError) -> Image {
    try Operation.image("colourspace", ["in": .image(self), "space": .named("rgb16")])
  }

  /// A band of each pixel.
  package func band(_ number: Int) throws(VipsError) -> Image {
    try Operation.image("extract_band", ["in": .image(self), "band": .whole(number)])
  }

  /// The smallest number of all bands of all pixels.
  package func minimum() throws(VipsError) -> Double {
    try Operation.number("min", ["in": .image(self)])
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

  /// Pixels in a millimeter, across and down.
  package var resolution: (across: Double, down: Double) {
    (vips_image_get_xres(pointer), vips_image_get_yres(pointer))
  }

  /// The unit in which a file gives the resolution, such as `in`; `nil` when it gives none.
  package var resolutionUnit: String? {
    guard vips_image_get_typeof(pointer, VIPS_META_RESOLUTION_UNIT) != 0 else { return nil }
    var unit: UnsafePointer<CChar>?
    guard vips_image_get_string(pointer, VIPS_META_RESOLUTION_UNIT, &unit) == 0, let unit else {
      vips_error_clear()
      return nil
    }
    return String(cString: unit)
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
