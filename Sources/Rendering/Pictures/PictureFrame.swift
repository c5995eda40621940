/// A rectangle of whole pixels on a picture that is put together.
struct PictureFrame: Sendable, Hashable {
  /// The first column and the first row.
  var left, top: Int
  /// How many columns and rows there are.
  var width, height: Int

  /// The column and the row behind the last.
  var right: Int { left + width }
  var bottom: Int { top + height }

  /// A frame of a size in the middle of this one.
  func middle(width: Int, height: Int) -> PictureFrame {
    PictureFrame(
      left: left + (self.width - width) / 2, top: top + (self.height - height) / 2, width: width,
      height: height)
  }
}
