import SafelightVips

/// Draws a histogram with what it says in numbers below.
struct HistogramDrawing {
  private(set) var canvas: Canvas

  /// Columns for each code.
  private static let step = 4
  private static let margin = 32
  private static let plot = PictureFrame(
    left: margin, top: margin, width: 256 * step, height: 448)
  private static let textSize = 22
  private static let lineHeight = Lettering(size: textSize).lineHeight
  private static let beforeColor: [UInt8] = [255, 196, 64]

  private let top: Double

  init(_ histogram: PhotoHistogram, before: PhotoHistogram?) throws(VipsError) {
    let lines = Lettering.hasFont ? (before == nil ? 1 : 2) : 0
    canvas = Canvas(
      width: Self.plot.width + 2 * Self.margin,
      height: Self.plot.bottom + (lines == 0 ? 0 : Self.textSize / 2) + lines * Self.lineHeight
        + Self.margin)
    top = Self.countAtTop(of: histogram)
    canvas.fill(Self.plot, with: [12, 12, 12])
    drawQuarters()
    fill(histogram)
    if let before { drawLine(before, thickness: 2, color: Self.beforeColor) }
    drawLine(histogram, thickness: 3, color: [245, 245, 245])
    guard lines > 0 else { return }
    try write(histogram, "", line: 0, in: Canvas.ink)
    if let before { try write(before, "before: ", line: 1, in: Self.beforeColor) }
  }

  /// How many pixels of one code fill the height. Single spikes, and the codes at the ends, where what
  /// is clipped gathers, do not press the rest down: they are cut off.
  private static func countAtTop(of histogram: PhotoHistogram) -> Double {
    let largest =
      PhotoHistogram.Channel.allCases.flatMap { histogram.counts($0)[1..<255] }.max() ?? 0
    return max(min(Double(largest), Double(histogram.pixelCount) / 256 * 8), 1)
  }

  private func height(_ count: Int) -> Int {
    Int((min(Double(count) / top, 1) * Double(Self.plot.height)).rounded())
  }

  /// Lines at a quarter, the half and three quarters of the codes.
  private mutating func drawQuarters() {
    for quarter in 1...3 {
      canvas.fill(
        PictureFrame(
          left: Self.plot.left + quarter * Self.plot.width / 4, top: Self.plot.top, width: 1,
          height: Self.plot.height), with: [44, 44, 44])
    }
  }

  /// The three colors, which add up where they overlap.
  private mutating func fill(_ histogram: PhotoHistogram) {
    let channels: [PhotoHistogram.Channel] = [.red, .green, .blue]
    for code in 0..<256 {
      let heights = channels.map { height(histogram.counts($0)[code]) }
      for level in 0..<(heights.max() ?? 0) {
        let color = heights.map { UInt8($0 > level ? 150 : 24) }
        canvas.fill(
          PictureFrame(
            left: Self.plot.left + code * Self.step, top: Self.plot.bottom - 1 - level,
            width: Self.step, height: 1), with: color)
      }
    }
  }

  /// Luma as a line from the middle of each code's columns to the next.
  private mutating func drawLine(_ histogram: PhotoHistogram, thickness: Int, color: [UInt8]) {
    let heights = histogram.counts(.luma).map(height)
    var last = heights[0]
    for column in 0..<Self.plot.width {
      let place = Double(column) / Double(Self.step) - 0.5
      let code = min(max(Int(place.rounded(.down)), 0), 254)
      let share = min(max(place - Double(code), 0), 1)
      let level = Int(
        (Double(heights[code]) * (1 - share) + Double(heights[code + 1]) * share).rounded())
      let (low, high) = (min(last, level), max(last, level) + thickness)
      let frame = PictureFrame(
        left: Self.plot.left + column, top: max(Self.plot.bottom - high, Self.plot.top),
        width: 1, height: high - low)
      canvas.fill(frame, with: color)
      last = level
    }
  }

  private mutating func write(
    _ histogram: PhotoHistogram, _ prefix: String, line: Int, in color: [UInt8]
  ) throws(VipsError) {
    let frame = PictureFrame(
      left: Self.plot.left,
      top: Self.plot.bottom + Self.textSize / 2 + line * Self.lineHeight, width: Self.plot.width,
      height: Self.lineHeight)
    let mean = Int(histogram.mean(.luma).rounded())
    let parts: [(String, Canvas.Alignment)] = [
      ("\(prefix)shadows clipped \(Share(histogram.clippedShadows))", .left),
      ("mean \(mean), median \(histogram.percentile(0.5, .luma))", .middle),
      ("highlights clipped \(Share(histogram.clippedHighlights))", .right),
    ]
    for (text, alignment) in parts {
      try canvas.write(text, in: frame, size: Self.textSize, alignment, color: color)
    }
  }
}
