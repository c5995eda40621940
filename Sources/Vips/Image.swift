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
    /// CIE Lab or another space libvips can convert from.
    case other
  }

  /// Pixels from left to right.
  package var width: Int { Int(vips_image_get_width(pointer)) }
  /// Pixels from top to bottom.
  package var height: Int { Int(vips_image_get_height(pointer)) }
  /// Numbers in a pixel, alpha included.
  package var bands: Int { Int(vips_image_get_bands(pointer)) }
  /// Whether the last band is alpha.
  package var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

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
    return Image(taking: copy)
  }
}
