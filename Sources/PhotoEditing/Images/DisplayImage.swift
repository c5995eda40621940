import FoundationEssentials
import SafelightRendering

/// A picture of a photo for the screen: upright pixels in memory.
///
/// Always 8-bit sRGB without transparency: colors outside of sRGB, as Display P3 has them, are
/// clipped, and what is transparent lies on white. For other colors and depths export the photo.
public struct DisplayImage: Sendable, Hashable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// `width × height × 3` codes of red, green and blue, 0 to 255, row after row from the top.
  public let pixels: [UInt8]

  /// A picture of pixels.
  ///
  /// - Parameters:
  ///   - width: Its columns.
  ///   - height: Its rows.
  ///   - pixels: As many as ``pixels`` says; others are a mistake of the caller's.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == width * height * 3,
      "A picture of \(width) × \(height) pixels has three bytes for each of them.")
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  package init(_ pixels: DisplayPixels) {
    self.init(width: pixels.width, height: pixels.height, pixels: pixels.bytes)
  }

  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// The picture as a JPEG without metadata, its color whole (4:4:4).
  ///
  /// - Parameter quality: 1 to 100; other numbers are taken as the nearest.
  /// - Throws: `RenderError.cannotEncode` beyond 65,535 pixels along a side.
  public func jpegData(quality: Int = 90) throws(RenderError) -> Data {
    Data(try jpegBytes(quality: quality))
  }

  package func jpegBytes(quality: Int) throws(RenderError) -> [UInt8] {
    let pixels = DisplayPixels(width: width, height: height, bytes: pixels)
    return try PlainJPEG.encoded(pixels, quality: quality)
  }

  /// The picture of a JPEG that ``jpegBytes(quality:)`` made; `nil` when it is damaged.
  package init?(jpegBytes bytes: UnsafeRawBufferPointer) {
    guard let pixels = PlainJPEG.decoded(bytes) else { return nil }
    self.init(pixels)
  }
}
