import Glibc
import SafelightColorKernels
import SafelightVips

/// A pass that moves pixels, from floats to floats.
///
/// Between the source's pixels it interpolates encoded values, by a windowed sinc or, in drafts, by
/// cubic convolution over 4 × 4 of them (R. G. Keys, "Cubic Convolution
/// Interpolation for Digital Image Processing", IEEE TASSP 29, 1981, with a = −1/2). Beyond the
/// picture the pixels of its edge are repeated.
struct WarpPass: Sendable {
  /// How pixels are made from those of the source.
  enum Interpolation: Int, Sendable {
    /// From 4 × 4 pixels, for drafts.
    case cubic
    /// From 12 × 12 pixels; see ``WindowedSinc``.
    case sinc
  }

  /// A block of a turned picture needs a part of the source that is hardly larger than the block;
  /// whole rows would need much of the picture.
  private static let block = (width: Int(SAFELIGHT_RUN), height: 64)

  let warp: any Warp
  var interpolation = Interpolation.sinc
  /// The weights of twelve neighbors, as the kernel `resample` reads them.
  var table = WindowedSinc.table

  /// The image with its pixels moved: three bands of encoded floats. The rows of the image must be
  /// readable in any order.
  func applied(to image: Image) throws(VipsError) -> Image {
    let (width, height) = (Int32(image.width), Int32(image.height))
    let matrix = warp.isProjective ? warp.projection.matrix : nil
    return try Image.computed(
      from: [image], like: image, width: warp.size.width, height: warp.size.height,
      blocks: Self.block
    ) { area in
      source(of: area)
    } _: { inputs, output in
      let input = inputs[0]
      let part = SafelightPart(
        start: input.address(row: input.top).assumingMemoryBound(to: Float.self),
        stride: Int64(input.stride / MemoryLayout<Float>.stride), left: Int32(input.left),
        top: Int32(input.top), width: width, height: height)
      for y in output.top..<(output.top + output.height) {
        let row = output.address(row: y).assumingMemoryBound(to: Float.self)
        if let matrix {
          moveRow(y, of: part, by: matrix, output, to: row)
        } else {
          movePixels(ofRow: y, of: part, output, to: row)
        }
      }
      return true
    }
  }

  /// The part of the source that a part of the result is interpolated from.
  private func source(of area: PixelArea.Bounds) -> PixelArea.Bounds {
    let (left, top) = (Double(area.left), Double(area.top))
    let frame = warp.source(
      of: WarpFrame(
        around: [(left, top), (left + Double(area.width), top + Double(area.height))]))
    let reach = interpolation == .cubic ? 3 : WindowedSinc.reach + 1
    let first = (
      Int(frame.left.rounded(.down)) - reach, Int(frame.top.rounded(.down)) - reach
    )
    let last = (
      Int(frame.right.rounded(.up)) + reach, Int(frame.bottom.rounded(.up)) + reach
    )
    return PixelArea.Bounds(
      left: first.0, top: first.1, width: last.0 - first.0, height: last.1 - first.1)
  }

  /// Makes a row by a matrix, whose places the kernel finds itself.
  private func moveRow(
    _ y: Int, of part: SafelightPart, by matrix: [Double], _ output: PixelArea,
    to row: UnsafeMutablePointer<Float>
  ) {
    let middle = Double(y) + 0.5
    let start = (0..<3).map { matrix[3 * $0 + 1] * middle + matrix[3 * $0 + 2] }
    interpolate(
      part, start, [matrix[0], matrix[3], matrix[6]], from: output.left, to: row,
      count: output.width)
  }

  /// Makes a row pixel by pixel, and where the channels have places of their own, channel by channel.
  private func movePixels(
    ofRow y: Int, of part: SafelightPart, _ output: PixelArea, to row: UnsafeMutablePointer<Float>
  ) {
    let channels = warp.separatesChannels ? 3 : 1
    let step = [0.0, 0, 0]
    var start = [0.0, 0, 1]
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3) { pixel in
      for x in 0..<output.width {
        for channel in 0..<channels {
          let place = warp.source(
            Double(output.left + x) + 0.5, Double(y) + 0.5, channel: channel)
          (start[0], start[1]) = (place.x, place.y)
          interpolate(part, start, step, from: 0, to: pixel.baseAddress!, count: 1)
          for index in channel..<(channels == 1 ? 3 : channel + 1) {
            row[3 * x + index] = pixel[index]
          }
        }
      }
    }
  }

  /// Makes pixels at places on a line; see the kernels.
  private func interpolate(
    _ part: SafelightPart, _ start: [Double], _ step: [Double], from column: Int,
    to row: UnsafeMutablePointer<Float>, count: Int
  ) {
    var part = part
    switch interpolation {
    case .cubic: kernels.interpolate(&part, start, step, Int32(column), row, Int32(count))
    case .sinc: kernels.resample(&part, table, start, step, Int32(column), row, Int32(count))
    }
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
