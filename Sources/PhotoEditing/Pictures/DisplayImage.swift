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
  /// - Throws: `RenderError.cannotEncode` beyond 65,500 pixels along a side.
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
public struct NormalizedRect: Sendable, Hashable, Codable {
  /// Where it begins, from the left edge, 0 to 1.
  public let x: Double
  /// Where it begins, from the top edge, 0 to 1.
  public let y: Double
  /// Its share of the width.
  public let width: Double
  /// Its share of the height.
  public let height: Double

  /// A part of a picture; what lies outside of the picture is cut off.
  ///
  /// A rectangle outside of the picture, or one with a NaN, has no part of it: all four numbers become 0,
  /// and a request for such a part fails.
  public init(x: Double, y: Double, width: Double, height: Double) {
    guard x + width > 0 && y + height > 0 && x < 1 && y < 1 && width > 0 && height > 0 else {
      (self.x, self.y, self.width, self.height) = (0, 0, 0, 0)
      return
    }
    (self.x, self.y) = (max(x, 0), max(y, 0))
    self.width = min(x + width, 1) - self.x
    self.height = min(y + height, 1) - self.y
  }

  private enum CodingKeys: CodingKey { case x, y, width, height }

  /// Reads four numbers; they are cut off as by ``init(x:y:width:height:)``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y),
      width: try values.decode(Double.self, forKey: .width),
      height: try values.decode(Double.self, forKey: .height))
  }

  /// The whole picture.
  public static let whole = NormalizedRect(x: 0, y: 0, width: 1, height: 1)
}

extension DisplayLayout.Part {
  /// A part in shares of the picture's width and height.
  package init(_ area: NormalizedRect) {
    self.init()
    (left, top, width, height) = (area.x, area.y, area.width, area.height)
  }
}

/// A picture of a photo, as it was asked for.
package struct ShownPicture: Sendable {
  /// What there is of it.
  package enum Content: Sendable {
    case pixels(DisplayImage)
    /// A JPEG or another file.
    case bytes([UInt8])
  }

  package let content: Content
  /// Its columns and rows.
  package let size: PixelSize
  /// Width and height that the state has at full size.
  package let fullSize: PixelSize
  /// The edit that it shows; `nil` when Safelight cannot read it, or nobody needs it.
  package var edit: EditStack?
  /// The values that were chosen from what is in the photo; `nil` when nothing asked for them.
  package var automatic: AutomaticAdjustments?
  /// How often each code occurs in it; `nil` when nobody asked.
  package var histogram: PhotoHistogram?
  /// What is not shown as asked, in sentences for people.
  package var warnings: [String] = []

  /// The pixels of a picture that was asked for as such.
  package var image: DisplayImage {
    guard case .pixels(let image) = content else {
      preconditionFailure("The picture was asked for as a file.")
    }
    return image
  }

  /// The bytes of a picture that was asked for as a file.
  package var bytes: [UInt8] {
    guard case .bytes(let bytes) = content else {
      preconditionFailure("The picture was asked for as pixels.")
    }
    return bytes
  }
}
