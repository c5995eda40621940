/// Which part of a picture is shown, and with how many pixels.
package struct DisplayLayout: Sendable, Hashable {
  /// A part of a picture in shares of its width and height, 0 to 1.
  package struct Part: Sendable, Hashable {
    /// Where it begins, from the left and the top edge.
    package var left = 0.0
    package var top = 0.0
    /// How much of the width and the height it has.
    package var width = 1.0
    package var height = 1.0

    /// The whole picture.
    package init() {}
  }

  /// Most pixels along the longer side of the whole picture; `nil` makes it at full size.
  package var longestSide: Int?
  /// What is kept of it.
  package var part = Part()
  /// Width and height of what is kept, which is stretched to them; `nil` leaves it as it comes.
  package var size: (width: Int, height: Int)? {
    get { fixedSize.map { ($0.width, $0.height) } }
    set { fixedSize = newValue.map { PixelDimensions(width: $0.width, height: $0.height) } }
  }

  private var fixedSize: PixelDimensions?

  /// The whole picture at full size.
  package init() {}

  /// The columns and rows of a picture that are kept: whole pixels, at least one.
  func frame(width: Int, height: Int) -> PictureFrame {
    func span(_ start: Double, _ share: Double, of count: Int) -> (first: Int, count: Int) {
      // The same share has as many pixels wherever it begins.
      let length = min(max(Int((share * Double(count)).rounded()), 1), count)
      let first = Int((start * Double(count)).rounded())
      return (min(max(first, 0), count - length), length)
    }
    let across = span(part.left, part.width, of: width)
    let down = span(part.top, part.height, of: height)
    return PictureFrame(
      left: across.first, top: down.first, width: across.count, height: down.count)
  }
}

/// A picture for the screen: 8-bit red, green and blue codes of sRGB, row after row.
package struct DisplayPixels: Sendable {
  /// Pixels from left to right.
  package let width: Int
  /// Pixels from top to bottom.
  package let height: Int
  /// `width × height × 3` codes.
  package let bytes: [UInt8]

  /// A picture of codes, as many as its size says.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}
