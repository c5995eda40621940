import Foundation
import SafelightAdjustments

/// The adjustments once more, in double precision from their published formulas, one pixel at a
/// time and sharing nothing with the code under test but the adjustments' values.
enum ReferenceColor {
  typealias Pixel = [Double]

  static func linear(_ encoded: Double) -> Double {
    if encoded < 0 { return -linear(-encoded) }
    return encoded > 0.04045 ? pow((encoded + 0.055) / 1.055, 2.4) : encoded / 12.92
  }

  static func encoded(_ linear: Double) -> Double {
    if linear < 0 { return -encoded(-linear) }
    return linear > 0.0031308 ? 1.055 * pow(linear, 1 / 2.4) - 0.055 : 12.92 * linear
  }

  static func luma(_ pixel: Pixel) -> Double {
    0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
  }

  static func saturation(_ pixel: Pixel, amount: Double) -> Pixel {
    let gray = luma(pixel)
    return pixel.map { gray + ($0 - gray) * (1 + amount / 100) }
  }

  static func vibrance(_ pixel: Pixel, amount: Double) -> Pixel {
    let high = pixel.max()!
    let low = pixel.min()!
    let chroma = high - low
    var skin = 0.0
    if amount > 0, chroma > 0, pixel[0] == high, pixel[2] == low {
      let hue = (pixel[1] - pixel[2]) / chroma * 60
      skin = max(0, 1 - abs(hue - 25) / 25)
    }
    let factor = 1 + amount / 100 * pow(1 - min(chroma, 1), 2) * (1 - skin / 2)
    let gray = luma(pixel)
    return pixel.map { gray + ($0 - gray) * factor }
  }

  static func channelMixer(_ pixel: Pixel, _ mixer: ChannelMixer) -> Pixel {
    [mixer.red, mixer.green, mixer.blue].map {
      pixel[0] * $0.red + pixel[1] * $0.green + pixel[2] * $0.blue + $0.constant
    }
  }

  /// Cubic pieces in power form, `a + s (b + s (c + s d))`, with Fritsch and Carlson's limit.
  static func curve(_ x: Double, _ points: [Curve.Point]) -> Double {
    let n = points.count
    let d = (0..<(n - 1)).map {
      (points[$0 + 1].output - points[$0].output) / (points[$0 + 1].input - points[$0].input)
    }
    var m = (0..<n).map { i -> Double in
      if i == 0 { return d[0] }
      if i == n - 1 { return d[n - 2] }
      return d[i - 1] * d[i] > 0 ? 0.5 * (d[i - 1] + d[i]) : 0
    }
    for i in 0..<(n - 1) {
      if d[i] == 0 {
        m[i] = 0
        m[i + 1] = 0
        continue
      }
      let radius = hypot(m[i] / d[i], m[i + 1] / d[i])
      if radius > 3 {
        m[i] *= 3 / radius
        m[i + 1] *= 3 / radius
      }
    }
    if x <= points[0].input { return points[0].output }
    if x >= points[n - 1].input { return points[n - 1].output }
    let i = (0..<(n - 1)).last { points[$0].input <= x }!
    let h = points[i + 1].input - points[i].input
    let s = x - points[i].input
    let c = (3 * d[i] - 2 * m[i] - m[i + 1]) / h
    let e = (m[i] + m[i + 1] - 2 * d[i]) / (h * h)
    return points[i].output + s * (m[i] + s * (c + s * e))
  }

  static func toneCurve(_ pixel: Pixel, _ tone: ToneCurve) -> Pixel {
    zip(pixel, [tone.red, tone.green, tone.blue]).map { value, channel in
      let both = { curve(curve($0, tone.all.points), channel.points) }
      // Beyond the ends a straight line goes on, as steep as the curve there, from level to 4.
      if value < 0 { return both(0) + value * min(max((both(1e-6) - both(0)) / 1e-6, 0), 4) }
      if value > 1 {
        return both(1) + (value - 1) * min(max((both(1) - both(1 - 1e-6)) / 1e-6, 0), 4)
      }
      return both(value)
    }
  }

  static func filter(_ pixel: Pixel, _ filter: AppliedFilter) -> Pixel {
    let filtered = filter.steps.entries.reduce(pixel) { pixel, entry in
      switch entry.adjustment {
      case let tone as ToneCurve: toneCurve(pixel, tone)
      case let mixer as ChannelMixer: channelMixer(pixel, mixer)
      case let saturation as Saturation: Self.saturation(pixel, amount: saturation.amount)
      case let vibrance as Vibrance: Self.vibrance(pixel, amount: vibrance.amount)
      default: pixel
      }
    }
    return zip(pixel, filtered).map { $0 + filter.intensity * ($1 - $0) }
  }

  static func clamped(_ pixel: Pixel) -> Pixel { pixel.map { min(max($0, 0), 1) } }
}
