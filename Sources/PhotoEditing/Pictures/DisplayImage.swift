import FoundationEssentials
import SafelightRendering

/// How large a picture is shown, and which part of it.
package struct DisplayFit: Sendable, Hashable {
  /// How exactly the size is met.
  package enum Exactness: Int, Sendable, Hashable {
    /// Only halves, quarters and eighths of the photo along each side, none below the size.
    case powersOfTwo
    /// The size, but never larger than the photo; nothing is cut off.
    case close
    /// Exactly the size. The picture is enlarged and its edges are cut off as needed.
    case exact
  }

  /// Columns and rows that are asked for; `nil` for as many as the picture has.
  package var target: PixelSize?
  /// Whether the picture covers the target; otherwise it lies inside.
  package var fills = false
  /// How exactly the target is met.
  package var exactness = Exactness.close
  /// What is kept of the picture before it is brought to its size.
  package var crop = NormalizedRect.whole

  /// All of the picture, as large as it is.
  package init() {}

  /// What to make of a picture that has this many pixels.
  package func layout(of size: PixelSize) -> DisplayLayout {
    var layout = DisplayLayout()
    layout.part = DisplayLayout.Part(crop)
    guard let target else { return layout }
    let (columns, rows) = (
      Double(size.width) * crop.width, Double(size.height) * crop.height
    )
    let (across, down) = (Double(target.width) / columns, Double(target.height) / rows)
    let scale = fills ? max(across, down) : min(across, down)
    let longest = Double(max(size.width, size.height))
    switch exactness {
    case .powersOfTwo:
      let divisor = [8, 4, 2].first { Double($0) * scale <= 1 }
      layout.longestSide = divisor.map { max(Int(longest) / $0, 1) }
    case .close:
      // Rounds up, but ignores the error of floating-point numbers.
      guard scale < 1 else { break }
      let side = max(Int((longest * scale - 1e-6).rounded(.up)), 1)
      layout.longestSide = side
      // Where the shorter side has the target's size, the longer one is no whole number of pixels.
      let (wanted, made) = (scaled(size, by: scale), scaled(size, by: Double(side) / longest))
      if wanted != made { layout.size = wanted }
    case .exact:
      if scale < 1 { layout.longestSide = max(Int((longest * scale - 1e-6).rounded(.up)), 1) }
      if fills {
        // Both sides lose the same amount.
        let (wide, high) = (columns * scale, rows * scale)
        layout.part.width *= Double(target.width) / wide
        layout.part.height *= Double(target.height) / high
        layout.part.left += (crop.width - layout.part.width) / 2
        layout.part.top += (crop.height - layout.part.height) / 2
        layout.size = target
      } else {
        layout.size = PixelSize(
          width: min(max(Int((columns * scale).rounded()), 1), target.width),
          height: min(max(Int((rows * scale).rounded()), 1), target.height))
      }
    }
    return layout
  }

  private func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    PixelSize(
      width: max(Int((Double(size.width) * scale).rounded()), 1),
      height: max(Int((Double(size.height) * scale).rounded()), 1))
  }

  /// Whether an uncropped picture of this size is good enough to show for a moment: it has at least
  /// half as many pixels along a side as the target.
  package func isServed(byWidth width: Int, height: Int) -> Bool {
    guard let target, crop == .whole else { return false }
    let (across, down) = (
      Double(target.width) / Double(width), Double(target.height) / Double(height)
    )
    return (fills ? max(across, down) : min(across, down)) <= 2
  }
}

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
