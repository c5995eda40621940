import Glibc

/// Where the thumbnails of a contact sheet and their labels lie.
struct ContactSheetLayout: Sendable, Hashable {
  /// The size of the whole.
  let width, height: Int
  /// The size of the labels' font in pixels.
  let textSize: Int
  /// How many thumbnails there are in a row.
  let columns: Int

  private let gap: Int
  private let cell: PixelDimensions
  private let labelHeight: Int

  /// The width for one of the height that a whole should come near to.
  private static let shape = 1.5

  /// - Parameters:
  ///   - count: How many thumbnails there are, at least 1.
  ///   - thumbnail: The size of the largest.
  ///   - columns: How many in a row; `nil` takes as many as make a sheet of a good shape.
  ///   - longestSide: Pixels along the longer side that thumbnails may have, which says how large
  ///     their labels are.
  ///   - isLabeled: Whether there is room for labels.
  init(
    count: Int, thumbnail: PixelDimensions, columns: Int?, longestSide: Int, isLabeled: Bool
  ) {
    textSize = min(max(longestSide / 20, 12), 64)
    gap = textSize / 2
    labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap / 2 : 0
    // As wide as the longest of the shipped names.
    cell = PixelDimensions(
      width: max(thumbnail.width, isLabeled ? 8 * textSize : 1), height: thumbnail.height)
    let (across, down) = (cell.width + gap, cell.height + labelHeight + gap)
    func shape(_ columns: Int) -> Double {
      Double(columns * across) / Double((count + columns - 1) / columns * down)
    }
    self.columns =
      columns.map { min(max($0, 1), count) }
      ?? (1...count).min { abs(log(shape($0) / Self.shape)) < abs(log(shape($1) / Self.shape)) }
      ?? 1
    width = self.columns * across + gap
    height = (count + self.columns - 1) / self.columns * down + gap
  }

  /// Where a thumbnail may lie; the first is 0.
  func picture(_ index: Int) -> PictureFrame {
    PictureFrame(
      left: gap + index % columns * (cell.width + gap),
      top: gap + index / columns * (cell.height + labelHeight + gap), width: cell.width,
      height: cell.height)
  }

  /// Where a thumbnail's label lies.
  func label(_ index: Int) -> PictureFrame {
    let picture = picture(index)
    return PictureFrame(
      left: picture.left, top: picture.bottom, width: cell.width, height: labelHeight)
  }
}
