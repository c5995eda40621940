import FoundationEssentials
import Glibc
import SafelightAdjustments

/// Temperature and tint of the light in a picture, by the gray surfaces that are there.
///
/// ``GrayPixels`` finds them. Newton's method through the matrix of the adjustment gives the
/// temperature and tint that make their color neutral. The photo is moved by at most 85 % of this;
/// a photo without gray surfaces keeps its colors. The part is smaller
///
/// - when fewer than 3 % of the pixels are gray surfaces of this color, by the square of their share;
/// - when there are also surfaces that are neutral now: they are probably right;
/// - when the color is hardly visible: nothing up to a chroma of 2, all from 4.5 on;
/// - when the color is rather that of the surface than that of a light. In CIELAB at mid-gray: all
///   up to a b* of 9 and none from 18 on towards yellow (sand, wood), 12 and 24 towards blue, and
///   an a* of 3 and 8 to both sides, because lights are seldom green or magenta (skin is).
///
/// A veil of gray light makes colors pale, and skin would count as gray behind it. So the levels of ``AutomaticTone`` come
/// first, and the color that is found is seen through the veil again.
///
/// These numbers are Safelight's own, tuned on photos.
struct AutomaticWhiteBalance {
  private(set) var adjustment = WhiteBalance()

  private static let neutral = 1e6 / WhiteBalance().temperature

  init(_ picture: ReducedPicture) {
    let veil = ToneRange(picture).levels()
    var clear = picture
    if !veil.isNeutral {
      clear.apply(
        veil.colorSteps(
          in: StepContext(size: PixelSize(width: picture.width, height: picture.height), scale: 1)))
    }
    guard let gray = GrayPixels(clear) else { return }
    let light = GrayPixels.color(gray.red, gray.blue)
    let (a, b) = GrayPixels.chroma(light)
    let chroma = (a * a + b * b).squareRoot()
    // The part of the color that is not explained by surfaces that are neutral now.
    let distance = gray.red * gray.red + gray.blue * gray.blue
    let overlap = exp(-distance / (4 * GrayPixels.width * GrayPixels.width))
    let agreement = gray.share / (gray.share + gray.neutralShare * (1 - overlap))
    let enough = min(gray.share / 0.03, 1)
    let trust =
      0.85 * agreement * enough * enough * (1 - Self.falling(chroma, from: 2, to: 4.5))
      * Self.falling(b, from: 9, to: 18) * Self.falling(-b, from: 12, to: 24)
      * Self.falling(abs(a), from: 3, to: 8)
    guard trust > 0, let (mired, tint) = Self.solved(Self.veiled(light, by: veil)) else { return }
    let shift = (mired - Self.neutral) * trust
    // A smaller change is not visible.
    if abs(shift) >= 3 {
      adjustment.temperature = (1e6 / (Self.neutral + shift) / 50).rounded() * 50
    }
    if abs(tint * trust) >= 1 { adjustment.tint = (tint * trust).rounded() }
  }

  /// A color of mid-gray as it is seen through a veil: white balance acts before the levels that take the veil away.
  private static func veiled(_ light: [Double], by veil: Levels) -> [Double] {
    let (black, span) = (veil.all.black / 255, (veil.all.white - veil.all.black) / 255)
    let luminance = zip(light, Luma.weights).reduce(0) { $0 + $1.0 * $1.1 }
    return light.map { value in
      SRGBTransfer.linear(black + span * SRGBTransfer.encoded(value / luminance * 0.18))
    }
  }

  /// 1 up to `start`, 0 from `end` on, and a straight line between.
  private static func falling(_ value: Double, from start: Double, to end: Double) -> Double {
    min(max((end - value) / (end - start), 0), 1)
  }

  /// The logarithms of red / green and blue / green.
  private static func chromaticity(_ color: [Double]) -> [Double] {
    [log(color[0] / color[1]), log(color[2] / color[1])]
  }

  /// The light's temperature in mired, and its tint; `nil` when there is no such light.
  static func solved(_ light: [Double]) -> (mired: Double, tint: Double)? {
    /// The chromaticity of the light after a white balance.
    func left(_ mired: Double, _ tint: Double) -> [Double] {
      var balance = WhiteBalance()
      (balance.temperature, balance.tint) = (1e6 / mired, tint)
      guard !balance.isNeutral, let matrix = balance.matrix else { return chromaticity(light) }
      return chromaticity(
        (0..<3).map { (row: Int) -> Double in
          let part: Double = (0..<3).reduce(0) { $0 + matrix.elements[row * 3 + $1] * light[$1] }
          return max(part, 1e-6)
        })
    }
    var (mired, tint) = (neutral, 0.0)
    for _ in 0..<20 {
      let now = left(mired, tint)
      let byMired = zip(left(mired + 0.5, tint), now).map { ($0 - $1) / 0.5 }
      let byTint = zip(left(mired, tint + 0.5), now).map { ($0 - $1) / 0.5 }
      let determinant = byMired[0] * byTint[1] - byMired[1] * byTint[0]
      guard abs(determinant) > 1e-12 else { return nil }
      mired -= (now[0] * byTint[1] - now[1] * byTint[0]) / determinant
      tint -= (byMired[0] * now[1] - byMired[1] * now[0]) / determinant
      (mired, tint) = (min(max(mired, 40), 500), min(max(tint, -100), 100))
    }
    return left(mired, tint).allSatisfy { abs($0) < 0.01 } ? (mired, tint) : nil
  }
}

/// The color of the gray surfaces in a picture.
///
/// The grayness index of Y. Qian, J.-K. Kämäräinen, J. Nikkanen and J. Matas ("On Finding Gray
/// Pixels", CVPR 2019) follows from the dichromatic model of reflection: on a gray surface in one
/// light, shading and highlights change all channels by the same factor. With the local contrast C,
/// a Laplacian of a Gaussian, and I the mean of the channels in linear light,
///
///     index = ‖ C(ln R − ln I), C(ln B − ln I) ‖
///
/// is 0 there. It is averaged over 7 × 7 pixels; pixels whose green has no contrast at all say
/// nothing.
///
/// The index is also small on a wall of any one color. So the surfaces are counted by their color,
/// (ln R/G, ln B/G), each with the weight exp(−(index / 0.05)²), and of the most frequent colors
/// that counts which is nearer to neutral: the counts are weighted by a Gaussian of their chroma
/// in CIELAB at mid-gray with a standard deviation of 8. Cameras balance photos already, so the
/// colors of lights are seldom far from neutral. The mean shift (K. Fukunaga and L. D. Hostetler,
/// IEEE Trans. Inf. Theory 21, 1975) finds the middle of the colors around it.
struct GrayPixels {
  /// ln R/G of the gray surfaces.
  private(set) var red = 0.0
  /// ln B/G of the gray surfaces.
  private(set) var blue = 0.0
  /// The weighted share of the picture with this color.
  private(set) var share = 0.0
  /// The weighted share of the picture that is neutral.
  let neutralShare: Double

  /// The standard deviation of what counts as the same color.
  static let width = 0.06

  /// Colors are counted in squares of this side.
  private static let interval = 0.03
  /// The number of squares along a side.
  private static let side = 41

  /// `nil` when the picture has no pixels that could be gray.
  init?(_ picture: ReducedPicture) {
    guard picture.width > 2, picture.height > 2 else { return nil }
    let counts = Self.counts(picture)
    let places = counts.indices.map { index in
      (
        red: Double(index / Self.side - Self.side / 2) * Self.interval,
        blue: Double(index % Self.side - Self.side / 2) * Self.interval
      )
    }
    /// The weights of colors by their distance from a color.
    func weights(around red: Double, _ blue: Double) -> [Double] {
      places.indices.map { index in
        let (down, across) = (places[index].red - red, places[index].blue - blue)
        let square = down * down + across * across
        return counts[index] * exp(-square / (2 * Self.width * Self.width))
      }
    }
    let likely = zip(Self.blurred(Self.blurred(counts)), places).map { count, place in
      let (a, b) = Self.chroma(Self.color(place.red, place.blue))
      return count * exp(-(a * a + b * b) / (2 * 8 * 8))
    }
    guard let best = likely.indices.max(by: { likely[$0] < likely[$1] }), likely[best] > 0 else {
      return nil
    }
    (red, blue) = places[best]
    var total = 0.0
    for _ in 0..<5 {
      let weights = weights(around: red, blue)
      total = weights.reduce(0, +)
      guard total > 0 else { return nil }
      red = zip(weights, places).reduce(0) { $0 + $1.0 * $1.1.red } / total
      blue = zip(weights, places).reduce(0) { $0 + $1.0 * $1.1.blue } / total
    }
    let pixels = Double(picture.width * picture.height)
    share = total / pixels
    neutralShare = weights(around: 0, 0).reduce(0, +) / pixels
  }

  /// The linear color with green 1.
  static func color(_ red: Double, _ blue: Double) -> [Double] { [exp(red), 1, exp(blue)] }

  /// a* and b* in CIELAB (CIE 15) of a linear color at mid-gray, a luminance of 0.18.
  static func chroma(_ color: [Double]) -> (a: Double, b: Double) {
    let (xyz, white) = (
      ColorMatrix.sRGBToXYZOfD65.times(color), ColorMatrix.sRGBToXYZOfD65.times([1, 1, 1])
    )
    let roots = zip(xyz, white).map { cbrt($0 / xyz[1] * 0.18 / $1) }
    return (500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2]))
  }

  /// The weights of the pixels of each color.
  private static func counts(_ picture: ReducedPicture) -> [Double] {
    let logarithms = (0...1024).map { code in
      Float(log(max(SRGBTransfer.linear(Double(code) / 1024), 1e-4)))
    }
    let light = picture.planes.map { plane in
      plane.map { logarithms[Int((min(max($0, 0), 1) * 1024).rounded())] }
    }
    let mean = light[0].indices.map { index in
      log((exp(light[0][index]) + exp(light[1][index]) + exp(light[2][index])) / 3)
    }
    let reds = contrast(picture.map(zip(light[0], mean).map { $0 - $1 }))
    let blues = contrast(picture.map(zip(light[2], mean).map { $0 - $1 }))
    let greens = contrast(picture.map(light[1]))
    let index = picture.map(zip(reds, blues).map { ($0 * $0 + $1 * $1).squareRoot() })
      .boxMean(radius: 3).values
    var counts = [Double](repeating: 0, count: side * side)
    for pixel in index.indices where abs(greens[pixel]) > 1e-4 {
      let brightest = picture.planes.reduce(0) { max($0, $1[pixel]) }
      // The clipped and the darkest pixels have lost their color.
      guard brightest < 0.97, brightest > 0.08 else { continue }
      let (red, blue) = (
        light[0][pixel] - light[1][pixel], light[2][pixel] - light[1][pixel]
      )
      let row = Int((red / Float(interval)).rounded()) + side / 2
      let column = Int((blue / Float(interval)).rounded()) + side / 2
      guard (0..<side).contains(row), (0..<side).contains(column) else { continue }
      let share = Double(index[pixel]) / 0.05
      counts[row * side + column] += exp(-share * share)
    }
    return counts
  }

  /// The Laplacian of a Gaussian with a standard deviation of half a pixel, on 3 × 3 pixels. The
  /// weights are those of the function, made to sum up to 0. At the edges it is 0.
  private static func contrast(_ map: ReducedMap) -> [Float] {
    let (width, height) = (map.width, map.height)
    let (beside, diagonal): (Float, Float) = (0.80, 0.40)
    let middle = 4 * (beside + diagonal)
    var result = [Float](repeating: 0, count: map.values.count)
    result.withUnsafeMutableBufferPointer { result in
      map.values.withUnsafeBufferPointer { value in
        for y in 1..<(height - 1) {
          for x in 1..<(width - 1) {
            let here = y * width + x
            let (up, down) = (here - width, here + width)
            let sides = value[up] + value[down] + value[here - 1] + value[here + 1]
            let corners = value[up - 1] + value[up + 1] + value[down - 1] + value[down + 1]
            result[here] = beside * sides + diagonal * corners - middle * value[here]
          }
        }
      }
    }
    return result
  }

  /// The counts smoothed with binomial weights along their rows, transposed.
  private static func blurred(_ counts: [Double]) -> [Double] {
    counts.indices.map { index in
      let (column, row) = (index / side, index % side)
      return zip(-2...2, [1.0, 4, 6, 4, 1]).reduce(0) { sum, near in
        let place = column + near.0
        guard (0..<side).contains(place) else { return sum }
        return sum + counts[row * side + place] * near.1 / 16
      }
    }
  }
}
