import Glibc

/// Where the two pictures of a comparison and their labels lie.
struct ComparisonLayout: Sendable, Hashable {
  /// The size of the whole.
  let width, height: Int
  /// The size of the labels' font in pixels.
  let textSize: Int
  /// The two pictures with their labels.
  let before, after: Panel

  /// A picture with its label below.
  struct Panel: Sendable, Hashable {
    /// The picture's size.
    var size: PixelDimensions
    /// Where the picture is; what it lacks of this is left free around it.
    var picture: PictureFrame
    /// Where the label is, in the middle; without height when there is none.
    var label: PictureFrame
  }

  /// The width for one of the height that a whole should come near to: that of screens.
  private static let shape = 1.6

  /// - Parameters:
  ///   - arrangement: How the pictures lie; `.split` is taken as automatic.
  ///   - before: The size of the first picture at full size.
  ///   - after: The same of the second.
  ///   - longestSide: Most pixels along the longer side of the whole.
  ///   - isLabeled: Whether there is room for labels.
  init(
    _ arrangement: ComparisonArrangement, before: PixelDimensions, after: PixelDimensions,
    longestSide: Int, isLabeled: Bool
  ) {
    let isStacked =
      switch arrangement {
      case .sideBySide: false
      case .stacked: true
      case .automatic, .split: Self.looksBetterStacked(before.shape, after.shape)
      }
    let natural =
      isStacked
      ? max(max(before.width, after.width), before.height + after.height)
      : max(before.width + after.width, max(before.height, after.height))
    textSize = Self.textSize(forSide: min(longestSide, natural))
    let gap = textSize / 2
    let labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap : 0
    let room = Double(longestSide)
    let (first, second): (PixelDimensions, PixelDimensions)
    if isStacked {
      let free = room - Double(3 * gap + 2 * labelHeight)
      let width = max(
        min(room - Double(2 * gap), free / (1 / before.shape + 1 / after.shape)), 1)
      first = before.fitting(width: width, height: free)
      second = after.fitting(width: width, height: free)
    } else {
      let free = room - Double(3 * gap)
      let height = max(
        min(room - Double(2 * gap + labelHeight), free / (before.shape + after.shape)), 1)
      first = before.fitting(width: free, height: height)
      second = after.fitting(width: free, height: height)
    }
    // A picture narrower than its label would cut the label.
    let least = min(12 * textSize, (longestSide - 3 * gap) / 2)
    if isStacked {
      let cell = max(first.width, second.width, least)
      width = cell + 2 * gap
      let top = gap + first.height + labelHeight + gap
      height = top + second.height + labelHeight + gap
      self.before = Panel(
        first, left: gap, top: gap, width: cell, height: first.height, labelHeight: labelHeight)
      self.after = Panel(
        second, left: gap, top: top, width: cell, height: second.height, labelHeight: labelHeight)
    } else {
      let cells = (max(first.width, least), max(second.width, least))
      let row = max(first.height, second.height)
      width = cells.0 + cells.1 + 3 * gap
      height = row + labelHeight + 2 * gap
      self.before = Panel(
        first, left: gap, top: gap, width: cells.0, height: row, labelHeight: labelHeight)
      self.after = Panel(
        second, left: 2 * gap + cells.0, top: gap, width: cells.1, height: row,
        labelHeight: labelHeight)
    }
  }

  /// The layout of one picture, both labels below it: the first's on the left, the second's on the
  /// right.
  ///
  /// - Parameters:
  ///   - size: The picture's size at full size.
  ///   - longestSide: Most pixels along the longer side of the whole.
  ///   - isLabeled: Whether there is room for labels.
  init(splitting size: PixelDimensions, longestSide: Int, isLabeled: Bool) {
    textSize = Self.textSize(forSide: min(longestSide, size.longestSide))
    let gap = textSize / 2
    let labelHeight = isLabeled ? Lettering(size: textSize).lineHeight + gap : 0
    let room = Double(longestSide)
    let picture = size.fitting(width: room, height: max(room - Double(labelHeight), 1))
    width = max(picture.width, isLabeled ? min(24 * textSize, longestSide) : 1)
    height = picture.height + labelHeight
    let frame = PictureFrame(left: 0, top: 0, width: width, height: picture.height)
    let label = PictureFrame(
      left: gap, top: picture.height, width: (width - 3 * gap) / 2, height: labelHeight)
    before = Panel(size: picture, picture: frame, label: label)
    after = Panel(
      size: picture, picture: frame,
      label: PictureFrame(
        left: width - gap - label.width, top: label.top, width: label.width, height: labelHeight))
  }

  /// Whether two pictures of these shapes come nearer to a screen's one above the other.
  private static func looksBetterStacked(_ before: Double, _ after: Double) -> Bool {
    func distance(_ shape: Double) -> Double { abs(log(shape / Self.shape)) }
    return distance(1 / (1 / before + 1 / after)) < distance(before + after)
  }

  /// The size of letters on a picture with a longer side of so many pixels.
  private static func textSize(forSide side: Int) -> Int { min(max(side / 60, 12), 96) }
}

extension ComparisonLayout.Panel {
  fileprivate init(
    _ size: PixelDimensions, left: Int, top: Int, width: Int, height: Int, labelHeight: Int
  ) {
    self.size = size
    picture = PictureFrame(left: left, top: top, width: width, height: height)
    label = PictureFrame(left: left, top: top + height, width: width, height: labelHeight)
  }
}
