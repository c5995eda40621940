import SafelightAdjustments

extension Crop: GeometryRenderable {
  var movesPixels: Bool { false }

  func warp(in context: StepContext) -> (any Warp)? {
    let columns = Self.pixels(from: x, count: width, of: context.size.width)
    let rows = Self.pixels(from: y, count: height, of: context.size.height)
    guard columns.count < context.size.width || rows.count < context.size.height else { return nil }
    return PictureTransform(
      left: columns.lowerBound, top: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The whole pixels of a share of a side; at least one.
  private static func pixels(from start: Double, count: Double, of side: Int) -> Range<Int> {
    let first = min(Int((start * Double(side)).rounded()), side - 1)
    let end = min(Int(((start + count) * Double(side)).rounded()), side)
    return first..<max(end, first + 1)
  }
}
