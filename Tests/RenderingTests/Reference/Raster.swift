import Foundation
import SafelightAdjustments

/// Pixels in an array, for arithmetic that shares nothing with the renderer.
struct Raster: Equatable {
  let width: Int
  let height: Int
  /// Red, green and blue of each pixel, row after row.
  let codes: [Int]

  init(width: Int, height: Int, codes: [Int]) {
    (self.width, self.height, self.codes) = (width, height, codes)
  }

  /// The pixel at (x, y) is the pixel of another picture at `place(x, y)`.
  init(width: Int, height: Int, of other: Raster, at place: (Int, Int) -> (Int, Int)) {
    var codes: [Int] = []
    for y in 0..<height {
      for x in 0..<width { codes += other.pixel(place(x, y)) }
    }
    self.init(width: width, height: height, codes: codes)
  }

  func pixel(_ place: (x: Int, y: Int)) -> ArraySlice<Int> {
    let start = (place.y * width + place.x) * 3
    return codes[start..<(start + 3)]
  }

  var turnedRight: Raster {
    Raster(width: height, height: width, of: self) { x, y in (y, height - 1 - x) }
  }

  var mirrored: Raster {
    Raster(width: width, height: height, of: self) { x, y in (width - 1 - x, y) }
  }

  var upsideDown: Raster {
    Raster(width: width, height: height, of: self) { x, y in (x, height - 1 - y) }
  }

  func part(left: Int, top: Int, width: Int, height: Int) -> Raster {
    Raster(width: width, height: height, of: self) { x, y in (left + x, top + y) }
  }

  /// Interpolation in double precision; (0, 0) is the middle of the first pixel, and beyond the
  /// edges the pixels of the edge are repeated.
  func interpolated(_ x: Double, _ y: Double, by weights: ReferenceWeights) -> [Double] {
    let (across, down) = (weights.around(x), weights.around(y))
    var sums = [0.0, 0, 0]
    for (row, down) in down {
      for (column, across) in across {
        let place = min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)
        for channel in 0..<3 { sums[channel] += down * across * Double(codes[place * 3 + channel]) }
      }
    }
    return sums
  }

  /// The largest difference from the pixels at `place`, in codes, rounding included.
  func worstDifference(
    from source: Raster, by weights: ReferenceWeights,
    at place: (Double, Double) -> (Double, Double)
  ) -> Double {
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = place(Double(x) + 0.5, Double(y) + 0.5)
        let expected = source.interpolated(u - 0.5, v - 0.5, by: weights)
        for (expected, code) in zip(expected, pixel((x, y))) {
          worst = max(worst, abs(min(max(expected, 0), 255) - Double(code)))
        }
      }
    }
    return worst
  }
}

/// How much each pixel around a place counts, from the published formulas in double precision.
enum ReferenceWeights: CaseIterable {
  /// R. G. Keys's piecewise polynomial with a = -1/2.
  case keys
  /// A sinc over twelve pixels in a Kaiser window with beta = 4.
  case sinc

  /// The pixels before and after a place with their weights.
  func around(_ place: Double) -> [(Int, Double)] {
    let first = Int(place.rounded(.down))
    let pixels = self == .keys ? (first - 1)...(first + 2) : (first - 5)...(first + 6)
    let weights = pixels.map { weight(Double($0) - place) }
    let sum = weights.reduce(0, +)
    return zip(pixels, weights).map { ($0, $1 / sum) }
  }

  private func weight(_ distance: Double) -> Double {
    let s = abs(distance)
    switch self {
    case .keys:
      if s < 1 { return 1.5 * s * s * s - 2.5 * s * s + 1 }
      return s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0
    case .sinc:
      if s >= 6 { return 0 }
      let sinc = s == 0 ? 1 : sin(.pi * s) / (.pi * s)
      return sinc * Self.window(4 * (1 - s * s / 36).squareRoot()) / Self.highest
    }
  }

  private static let highest = window(4)

  /// The Bessel function I0 by its integral, the mean of exp(x cos t) over a turn.
  private static func window(_ x: Double) -> Double {
    (0..<64).reduce(0) { $0 + exp(x * cos(2 * .pi * Double($1) / 64)) } / 64
  }
}
