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
    layout.part.left = crop.x
    layout.part.top = crop.y
    layout.part.width = crop.width
    layout.part.height = crop.height
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
      if scale < 1 { layout.longestSide = max(Int((longest * scale - 1e-6).rounded(.up)), 1) }
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
