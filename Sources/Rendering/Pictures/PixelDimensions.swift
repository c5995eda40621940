/// Width and height of a picture in pixels, each at least 1.
struct PixelDimensions: Sendable, Hashable {
  let width, height: Int
}

extension PixelDimensions {
  /// The size that fits into a width and a height, in the same shape and no larger than it is.
  func fitting(width: Double, height: Double) -> PixelDimensions {
    let scale = min(width / Double(self.width), height / Double(self.height), 1)
    return PixelDimensions(
      width: max(Int((Double(self.width) * scale).rounded()), 1),
      height: max(Int((Double(self.height) * scale).rounded()), 1))
  }

  /// The width for one of the height.
  var shape: Double { Double(width) / Double(height) }

  /// The longer side.
  var longestSide: Int { max(width, height) }
}
