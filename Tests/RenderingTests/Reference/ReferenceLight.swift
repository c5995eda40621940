import Foundation
import SafelightAdjustments

/// The tone adjustments in double precision, in other algebra than the code under test:
/// polynomials by de Casteljau's construction, the logistic curve by its exponential, brightness by
/// odds.
enum ReferenceLight {
  typealias Pixel = [Double]

  static func exposure(_ pixel: Pixel, stops: Double) -> Pixel {
    let (light, gain) = (pixel.map(ReferenceColor.linear), pow(2, stops))
    let bright = gain * light.max()!
    guard stops > 0, bright > 0.85 else { return light.map { ReferenceColor.encoded($0 * gain) } }
    // The shoulder as a curve through (0.85, 0.85) with slope 1 and (gain, 1): x / (1 + c x).
    let (way, rise) = (gain - 0.85, 0.15)
    let bend = (way - rise) / (way * rise)
    let mapped = 0.85 + 1 / (1 / (bright - 0.85) + bend)
    let lab = ReferenceOKLab.lab(light)
    let share = pow(mapped / bright, 2 / 3.0)
    let pale = ReferenceOKLab.light([lab[0], lab[1] * share, lab[2] * share])
    return pale.map { ReferenceColor.encoded($0 * mapped / pale.max()!) }
  }

  static func brightness(_ pixel: Pixel, amount: Double) -> Pixel {
    let factor = exp(amount / 100 * log(3))
    return pixel.map { value in
      extended(value) { tone in
        guard tone < 1 else { return 1 }
        let odds = factor * tone / (1 - tone)
        return odds / (1 + odds)
      }
    }
  }

  static func contrast(_ pixel: Pixel, amount: Double) -> Pixel {
    let share = abs(amount) / 100
    guard amount > 0 else {
      let reach = (1 + 0.8 * share) / 3
      return pixel.map { extended($0) { bezier([0, reach, 1 - reach, 1], at: $0) } }
    }
    let beta = 6 * sqrt(share)
    let logistic = { (x: Double) in 1 / (1 + exp(-beta * (x - 0.5))) }
    return pixel.map {
      extended($0) { (logistic($0) - logistic(0)) / (logistic(1) - logistic(0)) }
    }
  }

  static func whitesBlacks(_ pixel: Pixel, whites: Double, blacks: Double) -> Pixel {
    let points = [0.0015 * blacks, 0.25, 0.5, 0.75, 1 + 0.0018 * whites]
    return pixel.map { extended($0) { bezier(points, at: $0) } }
  }

  static func gamma(_ pixel: Pixel, amount: Double) -> Pixel {
    pixel.map { power($0, amount) }
  }

  static func levels(_ pixel: Pixel, _ levels: Levels) -> Pixel {
    zip(pixel, [levels.red, levels.green, levels.blue]).map {
      level(level($0, levels.all), $1)
    }
  }

  static func fade(_ pixel: Pixel, amount: Double) -> Pixel {
    let points = [0.0018 * amount, 1 / 3.0, 2 / 3.0, 1 - 0.0005 * amount]
    return pixel.map { extended($0) { bezier(points, at: $0) } }
  }

  static func invert(_ pixel: Pixel, amount: Double) -> Pixel {
    pixel.map { (1 - amount / 100) * $0 + amount / 100 * (1 - $0) }
  }

  static func posterize(_ pixel: Pixel, levels: Int) -> Pixel {
    let steps = Double(levels - 1)
    return pixel.map { value in
      let darker = floor(value * steps)
      let (below, above) = (value - darker / steps, (darker + 1) / steps - value)
      // Of two tones that are equally near, the one with the even number.
      let isTie = abs(below - above) < 1e-12
      let takesDarker = isTie ? darker.remainder(dividingBy: 2) == 0 : below < above
      return (takesDarker ? darker : darker + 1) / steps
    }
  }

  private static func level(_ value: Double, _ points: Levels.Points) -> Double {
    if points == Levels.Points() { return value }
    let white = max(points.white, points.black + 2)
    var tone = (255 * value - points.black) / (white - points.black)
    if tone < 0, points.black != 0 || points.outputBlack != 0 { tone = 0 }
    if tone > 1, points.white != 255 || points.outputWhite != 255 { tone = 1 }
    let bent = power(tone, points.gamma)
    return ((1 - bent) * points.outputBlack + bent * points.outputWhite) / 255
  }

  private static func power(_ value: Double, _ gamma: Double) -> Double {
    if value > 1 { return 1 + (value - 1) / gamma }
    return value == 0 ? 0 : (value < 0 ? -1 : 1) * exp(log(abs(value)) / gamma)
  }

  /// A curve from 0 to 1 that continues straight with the slopes at its ends.
  private static func extended(_ value: Double, _ curve: (Double) -> Double) -> Double {
    let step = 1e-7
    if value < 0 { return curve(0) + value * (curve(step) - curve(0)) / step }
    if value > 1 { return curve(1) + (value - 1) * (curve(1) - curve(1 - step)) / step }
    return curve(value)
  }

  /// The height of a Bézier curve over evenly spread points, by de Casteljau's construction.
  private static func bezier(_ points: [Double], at share: Double) -> Double {
    var points = points
    while points.count > 1 {
      points = zip(points, points.dropFirst()).map { $0 + share * ($1 - $0) }
    }
    return points[0]
  }
}

/// The adjustments that depend on the place, in double precision.
enum ReferenceEffects {
  typealias Pixel = [Double]

  static func vignette(
    _ pixel: Pixel, _ vignette: Vignette, x: Int, y: Int, width: Int, height: Int
  ) -> Pixel {
    let u = (Double(x) + 0.5) / Double(width) * 2 - 1
    let v = (Double(y) + 0.5) / Double(height) * 2 - 1
    let ellipse = (u * u + v * v) / 2
    let (w2, h2) = (pow(Double(width), 2), pow(Double(height), 2))
    let shape =
      vignette.roundness < 0
      ? pow((pow(u, 8) + pow(v, 8)) / 2, 0.25) : (u * u * w2 + v * v * h2) / (w2 + h2)
    let distance = ellipse + abs(vignette.roundness) / 100 * (shape - ellipse)
    let middle = 0.1 + vignette.midpoint / 125
    let feather = vignette.feather / 100
    let (begin, end) = (middle - middle * feather, middle + feather + 0.01)
    let left = 1 - min(max((distance - begin) / (end - begin), 0), 1)
    // One minus the mirrored polynomial.
    let weight = 1 - left * left * left * (10 - 15 * left + 6 * left * left)
    let gain = pow(1 + 0.0075 * vignette.amount * weight, 2)
    return pixel.map { ReferenceColor.encoded(ReferenceColor.linear($0) * gain) }
  }

  private static func added(_ noise: Double, of grain: Grain, to pixel: Pixel) -> Pixel {
    let luma = min(max(ReferenceColor.luma(pixel), 0), 1)
    let change = 0.0008 * grain.amount * noise * (1 - pow(2 * luma - 1, 2))
    return pixel.map { $0 + change }
  }

  /// Grain by color, column, row and the longer side of the render.
  static func fields(of grain: Grain) -> @Sendable (Pixel, Int, Int, Int) -> Pixel {
    let roughness = grain.roughness / 100
    let energies = [1.0, 2.0].map { energy(cell: grain.size * $0) }
    return { pixel, x, y, side in
      let noises = (1...2).map { octave in
        field(grain, octave: octave, x: x, y: y, side: side) / energies[octave - 1]
      }
      return added((noises[0] + roughness * noises[1]) / hypot(1, roughness), of: grain, to: pixel)
    }
  }

  /// The sum over all points near a pixel of a random number times the spline's mean over the pixel.
  private static func field(_ grain: Grain, octave: Int, x: Int, y: Int, side: Int) -> Double {
    let cell = grain.size * Double(octave)
    let width = 6000 / Double(side) / cell
    func points(_ pixel: Int) -> [(Int, Double)] {
      let middle = (Double(pixel) + 0.5) * width
      let near = Int(middle - width / 2 - 3)...Int(middle + width / 2 + 3)
      return near.map { ($0, mean(middle - Double($0), over: width)) }.filter { $0.1 > 0 }
    }
    let key = mix(UInt64(grain.seed) + 0x9E37_79B9 * UInt64(octave))
    let columns = points(x)
    var sum = 0.0
    for (row, down) in points(y) {
      let rowKey = mix(key + wrapped(row))
      for (column, across) in columns {
        let bits = mix(rowKey + wrapped(column))
        sum += down * across * (Double(bits % 65_536) + Double(bits / 65_536) - 65_535) / 65_535
      }
    }
    return sum * sqrt(6)
  }

  /// The variance along a side in a picture of 6,000 pixels, by Simpson's rule.
  private static func energy(cell: Double) -> Double {
    let reach = 2 + 1 / cell
    let values = (0...400).map { step in
      let value = mean(reach * (Double(step) / 200 - 1), over: 1 / cell)
      return value * value * (step == 0 || step == 400 ? 1 : step % 2 == 1 ? 4 : 2)
    }
    return values.reduce(0, +) * reach / 200 / 3
  }

  /// The mean of the cubic B-spline over `width` around a place: of its pieces, each by the
  /// two-point rule of Gauss, which is exact for cubics.
  private static func mean(_ place: Double, over width: Double) -> Double {
    var sum = 0.0
    for piece in -2..<2 {
      let start = max(place - width / 2, Double(piece))
      let end = min(place + width / 2, Double(piece + 1))
      guard start < end else { continue }
      let (middle, half) = ((start + end) / 2, (end - start) / 2)
      sum += half * (cubic(middle - half / sqrt(3)) + cubic(middle + half / sqrt(3)))
    }
    return sum / width
  }

  private static func cubic(_ distance: Double) -> Double {
    let far = abs(distance)
    if far < 1 { return 2 / 3.0 - far * far + far * far * far / 2 }
    return far < 2 ? pow(2 - far, 3) / 6 : 0
  }

  private static func wrapped(_ number: Int) -> UInt64 {
    UInt64(bitPattern: Int64(number)) % (1 << 32)
  }

  /// lowbias32 in 64 bits, cut to 32 after each step.
  private static func mix(_ number: UInt64) -> UInt64 {
    var h = number % (1 << 32)
    h = (h ^ (h / 65_536)) &* 2_146_121_005 % (1 << 32)
    h = (h ^ (h / 32_768)) &* 2_221_713_035 % (1 << 32)
    return h ^ (h / 65_536)
  }
}
