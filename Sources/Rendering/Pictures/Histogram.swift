import SafelightAdjustments
import SafelightMetadata
import SafelightVips

/// How often each code occurs in a picture of 8 bits a channel.
///
/// ```swift
/// let histogram = try await PhotoEditor().histogram(of: Photo(path: "beach.jpg"))
/// print(histogram.mean(.luma), histogram.clippedHighlights)
/// ```
public struct PhotoHistogram: Sendable, Hashable, Codable {
  /// The numbers that are counted.
  public enum Channel: String, Sendable, Hashable, CaseIterable {
    /// The codes of red.
    case red
    /// The codes of green.
    case green
    /// The codes of blue.
    case blue
    /// The luma of the codes, with the weights of ITU-R BT.709-6, item 3.2, rounded.
    case luma
  }

  /// The number of pixels that were counted.
  public let pixelCount: Int
  /// The share of pixels, 0 to 1, that have 0 in at least one of red, green and blue.
  public let clippedShadows: Double
  /// The share of pixels, 0 to 1, that have 255 in at least one of red, green and blue.
  public let clippedHighlights: Double

  private let counts: [[Int]]

  /// How many pixels have each of the codes 0 to 255.
  public func counts(_ channel: Channel) -> [Int] { counts[channel.index] }

  /// The mean code, 0 to 255.
  public func mean(_ channel: Channel) -> Double {
    let sum = counts(channel).enumerated().reduce(0) { $0 + $1.offset * $1.element }
    return Double(sum) / Double(max(pixelCount, 1))
  }

  /// The smallest code that at least a share of the pixels, 0 to 1, does not exceed.
  public func percentile(_ share: Double, _ channel: Channel) -> Int {
    let limit = min(max(share, 0), 1) * Double(pixelCount)
    var sum = 0
    for (code, count) in counts(channel).enumerated() {
      sum += count
      if sum > 0, Double(sum) >= limit { return code }
    }
    return 255
  }

  /// The share of pixels, 0 to 1, that have this code.
  public func share(of code: UInt8, _ channel: Channel) -> Double {
    Double(counts(channel)[Int(code)]) / Double(max(pixelCount, 1))
  }

  /// Whether it can be one of a picture with at most so many pixels, as one from another process may not.
  package func isPossible(upTo pixels: Int) -> Bool {
    let counted = 0...max(pixels, 0)
    return counted.contains(pixelCount) && counts.count == Channel.allCases.count
      && counts.allSatisfy { channel in
        // No sum of so many numbers in the range overflows: a picture has less than 2^40 pixels.
        channel.count == 256 && pixels < 1 << 40 && channel.allSatisfy(counted.contains)
          && channel.reduce(0, +) == pixelCount
      } && (0...1).contains(clippedShadows) && (0...1).contains(clippedHighlights)
  }

  /// Counts a picture in memory.
  ///
  /// - Parameter pixels: The codes of red, green and blue, three bytes for each pixel.
  package init(pixels: [UInt8]) {
    var counts = Counts()
    pixels.withUnsafeBufferPointer { pixels in
      if let start = pixels.baseAddress { counts.add(start, count: pixels.count / 3) }
    }
    self.init(counts)
  }

  init(_ counted: Counts) {
    counts = Channel.allCases.map {
      Array(counted.numbers[($0.index * 256)..<($0.index * 256 + 256)])
    }
    pixelCount = counts[0].reduce(0, +)
    clippedShadows = Double(counted.numbers[Counts.shadows]) / Double(max(pixelCount, 1))
    clippedHighlights = Double(counted.numbers[Counts.highlights]) / Double(max(pixelCount, 1))
  }

  /// The counts while pixels are counted.
  struct Counts: Sendable {
    static let shadows = 4 * 256
    static let highlights = shadows + 1

    /// 256 counts for each channel, then the clipped pixels.
    private(set) var numbers = [Int](repeating: 0, count: highlights + 1)

    /// Counts the pixels of 8-bit red, green and blue.
    mutating func add(_ pixels: UnsafePointer<UInt8>, count: Int) {
      numbers.withUnsafeMutableBufferPointer { numbers in
        for pixel in 0..<count {
          let red = Int(pixels[3 * pixel])
          let green = Int(pixels[3 * pixel + 1])
          let blue = Int(pixels[3 * pixel + 2])
          numbers[red] &+= 1
          numbers[256 + green] &+= 1
          numbers[512 + blue] &+= 1
          numbers[768 + (2126 &* red &+ 7152 &* green &+ 722 &* blue &+ 5000) / 10_000] &+= 1
          if min(red, green, blue) == 0 { numbers[Self.shadows] &+= 1 }
          if max(red, green, blue) == 255 { numbers[Self.highlights] &+= 1 }
        }
      }
    }

    /// Adds other counts.
    mutating func add(_ other: Counts) {
      for index in numbers.indices { numbers[index] += other.numbers[index] }
    }
  }
}

extension PhotoHistogram.Channel {
  fileprivate var index: Int {
    switch self {
    case .red: 0
    case .green: 1
    case .blue: 2
    case .luma: 3
    }
  }
}

extension PhotoHistogram {
  /// A share from 0 to 1 as people read it: in percent with one decimal.
  ///
  /// ```swift
  /// print("\(PhotoHistogram.Share(0.025))")  // 2.5 %
  /// ```
  public struct Share: CustomStringConvertible {
    private let share: Double

    /// The share of a whole.
    public init(_ share: Double) { self.share = share }

    /// The share in percent, such as `2.5 %`. A share that is not 0 but rounds to 0 is `under 0.1 %`.
    public var description: String {
      let tenths = (share * 1000).rounded()
      if share > 0, tenths == 0 { return "under 0.1 %" }
      return "\(tenths / 10) %"
    }
  }
}

extension PhotoHistogram {
  /// Counts the codes of a picture of 8-bit red, green and blue.
  init(of picture: RenderedPicture, unless cancellation: RenderCancellation?) throws {
    var counts = Counts()
    try picture.forEachStrip(rows: 64, unless: cancellation) {
      { rows in
        var counts = Counts()
        for row in 0..<rows.count {
          let start = (rows.start + row * rows.stride).assumingMemoryBound(to: UInt8.self)
          counts.add(start, count: rows.width)
        }
        return counts
      }
    } deliver: { strip in
      counts.add(strip)
    }
    self.init(counts)
  }
}

extension Renderer {
  /// Counts the codes of a photo with its edit, at full size, as the JPEG encoder would receive
  /// them: in the photo's profile, or in sRGB when the photo is gray or can be edited only in sRGB.
  ///
  /// - Parameters:
  ///   - source: The photo, or the pixels that the edit starts from.
  ///   - stack: The edit; an empty edit counts the photo itself.
  ///   - cancellation: Ends the work early when it is cancelled from another thread.
  /// - Throws: ``RenderError`` or `CancellationError`.
  package func histogram(
    of source: PhotoSource, edit stack: EditStack, cancellation: RenderCancellation? = nil
  ) throws -> PhotoHistogram {
    let plan = try RenderPlan(stack)
    let opened = try OpenedPhoto(source)
    do {
      let photo = try DecodedPhoto(
        opened,
        for: DecodedPhoto.Purpose(
          orientation: opened.orientation.followed(by: plan.turn),
          inAnyOrder: plan.needsAnyOrder(as: .jpeg)))
      let picture = try plan.picture(
        of: photo, opened, as: .jpeg, in: photo.image.bands == 1 ? .sRGB : nil)
      try cancellation?.watch(picture.image)
      defer { cancellation?.watchNothing() }
      return try PhotoHistogram(of: picture, unless: cancellation)
    } catch let error as VipsError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw RenderError(error, decoding: opened.format)
    }
  }

  /// Draws a histogram: red, green, blue and luma, and the luma before the edit as a thin line.
  ///
  /// - Parameters:
  ///   - histogram: The histogram of the photo with its edit.
  ///   - before: The histogram of the photo without its edit; `nil` draws no such line.
  ///   - output: Format and quality.
  ///   - original: The photo that the metadata names as the original.
  ///   - sink: Called with each run of bytes.
  /// - Throws: ``RenderError``, or what `sink` threw.
  package func draw(
    _ histogram: PhotoHistogram, before: PhotoHistogram?, as output: RenderOutput,
    derivedFrom original: OriginalReference,
    to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Report {
    let canvas: Canvas
    do {
      canvas = try HistogramDrawing(histogram, before: before).canvas
    } catch {
      throw RenderError.failed(detail: error.description)
    }
    return try encode(
      canvas, profile: nil, as: output, derivedFrom: original,
      warnings: Lettering.hasFont ? [] : [.noFont], cancellation: nil, to: sink)
  }
}

/// Draws a histogram, with its most important numbers below.
struct HistogramDrawing {
  private(set) var canvas: Canvas

  /// The number of columns for each code.
  private static let codeWidth = 4
  private static let margin = 32
  private static let plot = PictureFrame(
    left: margin, top: margin, width: 256 * codeWidth, height: 448)
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
    try write(histogram, line: 0, in: Canvas.ink)
    if let before { try write(before, after: "before: ", line: 1, in: Self.beforeColor) }
  }

  /// The count that fills the height. Single spikes, and the first and last code with all clipped
  /// pixels, are cut off, so that they do not press the other codes down.
  private static func countAtTop(of histogram: PhotoHistogram) -> Double {
    let largest =
      PhotoHistogram.Channel.allCases.flatMap { histogram.counts($0)[1..<255] }.max() ?? 0
    return max(min(Double(largest), Double(histogram.pixelCount) / 256 * 8), 1)
  }

  private func height(_ count: Int) -> Int {
    Int((min(Double(count) / top, 1) * Double(Self.plot.height)).rounded())
  }

  /// Draws lines at a quarter, half and three quarters of the codes.
  private mutating func drawQuarters() {
    for quarter in 1...3 {
      canvas.fill(
        PictureFrame(
          left: Self.plot.left + quarter * Self.plot.width / 4, top: Self.plot.top, width: 1,
          height: Self.plot.height), with: [44, 44, 44])
    }
  }

  /// Fills red, green and blue; their colors add up where they overlap.
  private mutating func fill(_ histogram: PhotoHistogram) {
    let channels: [PhotoHistogram.Channel] = [.red, .green, .blue]
    for code in 0..<256 {
      let heights = channels.map { height(histogram.counts($0)[code]) }
      for level in 0..<(heights.max() ?? 0) {
        let color = heights.map { UInt8($0 > level ? 150 : 24) }
        canvas.fill(
          PictureFrame(
            left: Self.plot.left + code * Self.codeWidth, top: Self.plot.bottom - 1 - level,
            width: Self.codeWidth, height: 1), with: color)
      }
    }
  }

  /// Draws luma as a line through the middle of the columns of each code.
  private mutating func drawLine(_ histogram: PhotoHistogram, thickness: Int, color: [UInt8]) {
    let heights = histogram.counts(.luma).map(height)
    var last = heights[0]
    for column in 0..<Self.plot.width {
      let place = Double(column) / Double(Self.codeWidth) - 0.5
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
    _ histogram: PhotoHistogram, after prefix: String = "", line: Int, in color: [UInt8]
  ) throws(VipsError) {
    let frame = PictureFrame(
      left: Self.plot.left,
      top: Self.plot.bottom + Self.textSize / 2 + line * Self.lineHeight, width: Self.plot.width,
      height: Self.lineHeight)
    let mean = Int(histogram.mean(.luma).rounded())
    let parts: [(String, Canvas.Alignment)] = [
      ("\(prefix)shadows clipped \(PhotoHistogram.Share(histogram.clippedShadows))", .left),
      ("mean \(mean), median \(histogram.percentile(0.5, .luma))", .middle),
      ("highlights clipped \(PhotoHistogram.Share(histogram.clippedHighlights))", .right),
    ]
    for (text, alignment) in parts {
      try canvas.write(text, in: frame, size: Self.textSize, alignment: alignment, color: color)
    }
  }
}
