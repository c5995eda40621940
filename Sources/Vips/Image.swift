import SafelightCVips

/// An image of libvips: a recipe for pixels that are made when they are asked for.
///
/// Immutable: each method gives a new image and leaves this one as it was.
///
/// `@unchecked Sendable` because libvips images do not change once built and may be read from
/// any thread; the class owns exactly one reference and gives it back at the end of its life.
public final class Image: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<VipsImage>

  /// Takes over the caller's reference.
  init(taking pointer: UnsafeMutablePointer<VipsImage>) {
    self.pointer = pointer
  }

  deinit {
    g_object_unref(pointer)
  }

  /// How the numbers of one band are stored.
  public enum SampleFormat: Sendable, Hashable {
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
  public enum Interpretation: Sendable, Hashable {
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
  public var width: Int { Int(vips_image_get_width(pointer)) }
  /// Pixels from top to bottom.
  public var height: Int { Int(vips_image_get_height(pointer)) }
  /// Numbers in a pixel, alpha included.
  public var bands: Int { Int(vips_image_get_bands(pointer)) }
  /// Whether the last band is alpha.
  public var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

  /// How the numbers of one band are stored.
  public var sampleFormat: SampleFormat {
    switch vips_image_get_format(pointer) {
    case VIPS_FORMAT_UCHAR: .uint8
    case VIPS_FORMAT_USHORT: .uint16
    case VIPS_FORMAT_FLOAT: .float
    default: .other
    }
  }

  /// What the bands mean.
  public var interpretation: Interpretation {
    switch vips_image_guess_interpretation(pointer) {
    case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: .gray
    case VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_RGB16: .rgb
    case VIPS_INTERPRETATION_CMYK: .cmyk
    case VIPS_INTERPRETATION_scRGB: .linear
    default: .other
    }
  }

  /// Every pixel, row after row, its bands side by side, in the image's own sample format.
  public func pixelBytes() throws(VipsError) -> [UInt8] {
    var size = 0
    guard let memory = vips_image_write_to_memory(pointer, &size) else {
      throw VipsError.last("write_to_memory")
    }
    defer { g_free(memory) }
    return Array(UnsafeRawBufferPointer(start: memory, count: size))
  }

  /// Ends the computing of this image's pixels, from any thread; whoever asked for them gets an
  /// error.
  public func stopComputing() {
    vips_image_set_kill(pointer, 1)
  }

  /// The same pixels, computed now and kept in memory, so that they can be read in any order.
  public func inMemory() throws(VipsError) -> Image {
    guard let copy = vips_image_copy_memory(pointer) else { throw VipsError.last("copy_memory") }
    return Image(taking: copy)
  }
}
