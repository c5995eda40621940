import Glibc
import SafelightColorKernels
import SafelightMetadata
import SafelightVips

/// Width and height of a picture in pixels.
///
/// ```swift
/// let size = PixelSize(width: 6000, height: 4000)
/// print("\(size.width) × \(size.height)")
/// ```
public struct PixelSize: Sendable, Hashable, Codable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int

  /// A size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The longer side.
  var longestSide: Int { max(width, height) }

  /// The width divided by the height.
  var aspect: Double { Double(width) / Double(height) }

  /// Width and height exchanged.
  var turned: PixelSize { PixelSize(width: height, height: width) }

  /// Both sides multiplied by a factor and rounded, at least 1.
  func scaled(by factor: Double) -> PixelSize {
    PixelSize(
      width: max(Int((Double(width) * factor).rounded()), 1),
      height: max(Int((Double(height) * factor).rounded()), 1))
  }

  /// The largest size of the same shape that fits into a width and a height; never larger than this
  /// size.
  func fitting(width: Double, height: Double) -> PixelSize {
    scaled(by: min(width / Double(self.width), height / Double(self.height), 1))
  }

  /// This size made smaller until it lies inside of another.
  func fitting(_ size: PixelSize) -> PixelSize {
    fitting(width: Double(size.width), height: Double(size.height))
  }
}

extension Image {
  /// Width and height.
  var size: PixelSize { PixelSize(width: width, height: height) }
}

/// How a picture is turned by quarters and mirrored, as Exif counts it.
///
/// Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
struct Orientation: Sendable, Equatable {
  /// The Exif value, 1 to 8: what stored pixels need to stand upright.
  let exif: Int

  /// Nothing to do.
  static let upright = Orientation(mirrored: false, quarters: 0)

  /// Exif values of pictures that need 0 to 3 quarter turns clockwise.
  private static let turned = [1, 6, 3, 8]
  /// Exif values of pictures that need the same turns and are then mirrored left to right.
  private static let mirrored = [2, 5, 4, 7]

  /// An Exif value; others than 1 to 8 count as 1.
  init(exif: Int) {
    self.exif = (1...8).contains(exif) ? exif : 1
  }

  /// First quarter turns clockwise, then left and right exchanged.
  init(mirrored: Bool, quarters: Int) {
    let index = ((quarters % 4) + 4) % 4
    exif = mirrored ? Self.mirrored[index] : Self.turned[index]
  }

  /// Whether left and right are exchanged, after the turns.
  var isMirrored: Bool { Self.mirrored.contains(exif) }

  /// Quarter turns clockwise, 0 to 3.
  var quarters: Int {
    Self.turned.firstIndex(of: exif) ?? Self.mirrored.firstIndex(of: exif) ?? 0
  }

  /// Whether width and height are exchanged.
  var swapsSides: Bool { quarters % 2 == 1 }

  /// This orientation, then another.
  func followed(by next: Orientation) -> Orientation {
    // A mirror and then a turn give the same as the opposite turn and then the mirror.
    let turns = isMirrored ? quarters - next.quarters : quarters + next.quarters
    return Orientation(mirrored: isMirrored != next.isMirrored, quarters: turns)
  }
}

extension Image {
  /// Rows that are turned at a time. They are still in the processor's caches when their pixels are
  /// written.
  private static let turnedRows = 32

  /// The pixels in memory, turned while they are read, once and from top to bottom: no second copy
  /// of the picture is needed.
  func inMemory(turned orientation: Orientation) throws(VipsError) -> Image {
    guard orientation != .upright else { return try inMemory() }
    let turned = orientation.swapsSides ? size.turned : size
    let (pixel, row) = (bytesPerPixel, turned.width * bytesPerPixel)
    let count = row * turned.height
    // Where the picture's first pixel goes, and how far on its next column and its next row are.
    var (first, across, down) = (0, pixel, row)
    switch orientation.quarters {
    case 1: (first, across, down) = (row - pixel, row, -pixel)
    case 2: (first, across, down) = (count - pixel, -pixel, -row)
    case 3: (first, across, down) = (count - row, -row, pixel)
    default: break
    }
    if orientation.isMirrored {
      // In its row a pixel goes to the other side.
      let column = first % row
      first += row - pixel - 2 * column
      if orientation.swapsSides { down.negate() } else { across.negate() }
    }
    return try VipsError.thrown(by: "turn") {
      // Columns become rows that lie far apart, each in a page of its own.
      try Image.filled(like: self, width: turned.width, height: turned.height) { start in
        let reader = try RowReader(self)
        for top in stride(from: 0, to: height, by: Self.turnedRows) {
          try reader.read(top..<min(top + Self.turnedRows, height)) { rows in
            kernels.turn(
              rows.start.assumingMemoryBound(to: UInt8.self), rows.stride, Int32(rows.width),
              Int32(rows.count), Int32(pixel),
              (start + first + top * down).assumingMemoryBound(to: UInt8.self), across, down)
          }
        }
      }
    }
  }
}

/// Where the pixels of a turned, straightened or cropped picture come from.
struct PictureTransform: Sendable, Equatable {
  /// The size of the result.
  let size: PixelSize
  /// The 3 × 3 matrix, row after row, from places of the result to places of the source: the place
  /// (x, y) becomes (x', y', w'), which is the place (x'/w', y'/w'). The middle of the first pixel
  /// is (0.5, 0.5).
  let matrix: [Double]
  /// How pixels are made from those around their place, when the transform does more than a shift.
  let interpolation: Interpolation

  /// How pixels are made from those of the source.
  enum Interpolation: Int, Sendable {
    /// From 4 × 4 pixels, for drafts.
    case cubic
    /// From 12 × 12 pixels; see ``WindowedSinc``.
    case sinc
  }

  /// A transform with a matrix.
  init(width: Int, height: Int, matrix: [Double], interpolation: Interpolation = .sinc) {
    size = PixelSize(width: width, height: height)
    self.matrix = matrix
    self.interpolation = interpolation
  }

  /// A part of a picture, without other changes.
  init(left: Int, top: Int, width: Int, height: Int) {
    self.init(
      width: width, height: height, matrix: [1, 0, Double(left), 0, 1, Double(top), 0, 0, 1])
  }

  /// The whole pixels by which the result is moved; `nil` when the transform does anything else.
  var shift: (left: Int, top: Int)? {
    let (left, top) = (matrix[2], matrix[5])
    guard matrix == [1, 0, left.rounded(), 0, 1, top.rounded(), 0, 0, 1] else { return nil }
    return (Int(left), Int(top))
  }

  /// The place of the source for a place of the result.
  func source(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let w = matrix[6] * x + matrix[7] * y + matrix[8]
    return (
      (matrix[0] * x + matrix[1] * y + matrix[2]) / w,
      (matrix[3] * x + matrix[4] * y + matrix[5]) / w
    )
  }

  /// This transform, then another of its result, as one interpolation by the sinc.
  func followed(by next: PictureTransform) -> PictureTransform {
    let product = PlaceMapping.product(matrix, next.matrix)
    return PictureTransform(
      width: next.size.width, height: next.size.height, matrix: product.map { $0 / product[8] })
  }
}

/// The weights of interpolation by a windowed sinc over 12 × 12 pixels.
///
/// A number at the distance d from the place has the weight sinc(d) w(d / 6), divided by the sum of
/// the twelve weights, so that a flat picture stays flat. w is the window of J. F. Kaiser and R. W.
/// Schafer ("On the Use of the I0-Sinh Window for Spectrum Analysis", IEEE TASSP 28, 1980) with
/// β = 4: w(t) = I₀(β √(1 − t²)) / I₀(β). Waves of up to 0.3 cycles in a pixel keep their amplitude
/// within 0.7 %, those of 0.4 cycles 97 to 100 %, where cubic convolution leaves 45 to 100 %.
enum WindowedSinc {
  /// How many pixels on either side of a place count.
  static let reach = 6
  private static let beta = 4.0

  /// The weights for ``SAFELIGHT_PHASES`` + 1 places from one pixel to the next, as the kernel
  /// `resample` reads them.
  static let table = table(weight)

  /// The weights of another kernel with the same reach, by the distance in pixels.
  static func table(_ weight: (Double) -> Double) -> [Float] {
    (0...Int(SAFELIGHT_PHASES)).flatMap { phase in
      let weights = weights(Double(phase) / Double(SAFELIGHT_PHASES), weight).map { Float($0) }
      return weights + weights.flatMap { [$0, $0, $0] }
    }
  }

  /// The weights of twelve neighbors for a place that lies `share` of the way from the sixth to the
  /// seventh.
  private static func weights(_ share: Double, _ weight: (Double) -> Double) -> [Double] {
    let weights = (0..<(2 * reach)).map { weight(Double($0 - reach + 1) - share) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  private static func weight(_ distance: Double) -> Double {
    // The sine of whole turns is not quite 0 in doubles.
    if distance == distance.rounded() { return distance == 0 ? 1 : 0 }
    let t = distance / Double(reach)
    guard abs(t) < 1 else { return 0 }
    let angle = Double.pi * distance
    return sin(angle) / angle * bessel(beta * (1 - t * t).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function I₀, by its power series.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...30 {
      term *= x * x / Double(4 * k * k)
      sum += term
    }
    return sum
  }
}

/// A pass that moves pixels, from floats to floats.
///
/// Between the source's pixels it interpolates encoded values, by a windowed sinc or, in drafts, by
/// cubic convolution over 4 × 4 of them (R. G. Keys, "Cubic Convolution
/// Interpolation for Digital Image Processing", IEEE TASSP 29, 1981, with a = −1/2). Beyond the
/// picture the pixels of its edge are repeated.
struct WarpPass: Sendable {
  /// A block of a turned picture needs a part of the source that is hardly larger than the block;
  /// whole rows would need much of the picture.
  private static let block = (width: Int(SAFELIGHT_RUN), height: 64)

  let transform: PictureTransform
  /// The weights of twelve neighbors, as the kernel `resample` reads them.
  var table = WindowedSinc.table

  /// The image with its pixels moved: three bands of encoded floats. The rows of the image must be
  /// readable in any order.
  func applied(to image: Image) throws(VipsError) -> Image {
    let transform = transform
    let (width, height) = (Int32(image.width), Int32(image.height))
    let table = table
    return try Image.computed(
      from: [image], like: image, width: transform.size.width, height: transform.size.height,
      blocks: Self.block
    ) { area in
      transform.source(of: area)
    } _: { inputs, output in
      let input = inputs[0]
      var part = SafelightPart(
        start: input.address(row: input.top).assumingMemoryBound(to: Float.self),
        stride: Int64(input.stride / MemoryLayout<Float>.stride), left: Int32(input.left),
        top: Int32(input.top), width: width, height: height)
      let matrix = transform.matrix
      let step = [matrix[0], matrix[3], matrix[6]]
      for y in output.top..<(output.top + output.height) {
        let middle = Double(y) + 0.5
        let start = (0..<3).map { matrix[3 * $0 + 1] * middle + matrix[3 * $0 + 2] }
        let row = output.address(row: y).assumingMemoryBound(to: Float.self)
        let (left, count) = (Int32(output.left), Int32(output.width))
        switch transform.interpolation {
        case .cubic: kernels.interpolate(&part, start, step, left, row, count)
        case .sinc: kernels.resample(&part, table, start, step, left, row, count)
        }
      }
      return true
    }
  }
}

extension PictureTransform {
  /// The part of the source that a part of the result is interpolated from.
  fileprivate func source(of area: PixelArea.Bounds) -> PixelArea.Bounds {
    let (left, top) = (Double(area.left), Double(area.top))
    let (right, bottom) = (left + Double(area.width), top + Double(area.height))
    // A projective map takes the inside of a rectangle to the inside of the hull of its corners.
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(source)
    let limit = 1e6
    let xs = corners.map { min(max($0.x, -limit), limit) }
    let ys = corners.map { min(max($0.y, -limit), limit) }
    let reach = interpolation == .cubic ? 3 : WindowedSinc.reach + 1
    let first = (Int(xs.min()!.rounded(.down)) - reach, Int(ys.min()!.rounded(.down)) - reach)
    let last = (Int(xs.max()!.rounded(.up)) + reach, Int(ys.max()!.rounded(.up)) + reach)
    return PixelArea.Bounds(
      left: first.0, top: first.1, width: last.0 - first.0, height: last.1 - first.1)
  }
}
