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
  ///   - pixels: As many as ``pixels`` says; another number is a programmer's error.
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

  /// The picture as a JPEG without metadata, with color at full resolution (4:4:4).
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

/// A part of a picture in shares of its width and height, from its upper left corner.
public struct NormalizedRect: Sendable, Hashable {
  /// Where it begins, from the left edge, 0 to 1.
  public let x: Double
  /// Where it begins, from the top edge, 0 to 1.
  public let y: Double
  /// Its share of the width, above 0.
  public let width: Double
  /// Its share of the height, above 0.
  public let height: Double

  /// A part of a picture; what lies outside of the picture is cut off.
  ///
  /// A rectangle outside of the picture, or one with a NaN, is a programmer's error.
  public init(x: Double, y: Double, width: Double, height: Double) {
    precondition(
      x + width > 0 && y + height > 0 && x < 1 && y < 1 && width > 0 && height > 0,
      "The rectangle \(x), \(y), \(width), \(height) has no part of the picture.")
    (self.x, self.y) = (max(x, 0), max(y, 0))
    self.width = min(x + width, 1) - self.x
    self.height = min(y + height, 1) - self.y
  }

  /// The whole picture.
  public static let whole = NormalizedRect(x: 0, y: 0, width: 1, height: 1)
}
