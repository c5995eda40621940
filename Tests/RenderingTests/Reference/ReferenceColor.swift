import Foundation
import SafelightAdjustments

/// The adjustments in double precision from their published formulas, one pixel at a time. Only the
/// adjustments' values are shared with the code under test.
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

  static func channelMixer(_ pixel: Pixel, _ mixer: ChannelMixer) -> Pixel {
    [mixer.red, mixer.green, mixer.blue].map {
      pixel[0] * $0.red + pixel[1] * $0.green + pixel[2] * $0.blue + $0.constant
    }
  }

  /// Cubic pieces in power form, `a + s (b + s (c + s d))`, with Fritsch and Carlson's limit.
  static func curve(_ x: Double, _ points: [ToneCurve.Curve.Point]) -> Double {
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
    guard tone.mode == .luminance else { return channelCurves(pixel, tone) }
    var (first, rest) = (ToneCurve(), tone)
    (first.all, rest.all, rest.mode) = (tone.all, ToneCurve.Curve(), .channels)
    func mapped(_ light: Double) -> Double {
      linear(channelCurves([encoded(light), 0, 0], first)[0])
    }
    let light = pixel.map(linear)
    let (luminance, black) = (luma(light), mapped(0))
    // Black has a limit instead of a quotient.
    let safe = abs(luminance) < 1e-5 ? 1e-5 : luminance
    let gain = (mapped(safe) - black) / safe
    let gray = gain * luminance + black
    let (high, limit) = (gain * light.max()! + black, max(light.max()!, 1))
    guard high > limit && gray < limit else {
      return channelCurves(light.map { encoded(gain * $0 + black) }, rest)
    }
    let evenness = max(light.min()!, 0) / light.max()!
    let paling = 1 - (1 - evenness) * (1 - evenness)
    let led = light.map { channel in
      let color = gain * channel + black
      let paler = gray + (limit - gray) / (high - gray) * (color - gray)
      return paling * paler + (1 - paling) * limit / high * color
    }
    return channelCurves(led.map(encoded), rest)
  }

  private static func channelCurves(_ pixel: Pixel, _ tone: ToneCurve) -> Pixel {
    zip(pixel, [tone.red, tone.green, tone.blue]).map { value, channel in
      let both = { curve(curve($0, tone.all.points), channel.points) }
      // Beyond its ends the curve continues straight, with the slope there, 0 to 4.
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
      case let saturation as Saturation:
        ReferenceSeenHues.saturated(pixel, amount: saturation.amount)
      case let gray as BlackAndWhite: ReferenceSeenHues.blackAndWhite(pixel, gray)
      case let mixer as ColorMixer: ReferenceSeenHues.mixed(pixel, mixer)
      case let grading as ColorGrading: ReferenceHues.graded(pixel, grading)
      case let vibrance as Vibrance: ReferenceSeenHues.vibrant(pixel, amount: vibrance.amount)
      default: pixel
      }
    }
    return zip(pixel, filtered).map { $0 + filter.intensity * ($1 - $0) }
  }

  static func clamped(_ pixel: Pixel) -> Pixel { pixel.map { min(max($0, 0), 1) } }
}

/// White balance in double precision, from the formula alone.
enum ReferenceWhiteBalance {
  typealias Vector = [Double]
  typealias Matrix = [[Double]]

  /// Encoded sRGB before and after.
  static func balanced(_ pixel: Vector, temperature: Double, tint: Double) -> Vector {
    let before = pixel.map(ReferenceColor.linear)
    let adapted = product(matrix(temperature: temperature, tint: tint), before)
    let (smallest, largest) = (before.min()!, before.max()!)
    let way = min(max((smallest - 0.7) / 0.3, 0), 1)
    let share = way * way * (3 - 2 * way)
    let mixed = zip(adapted, before).map { (1 - share) * $0 + share * $1 }
    let allowed = (min(smallest, 0) - 1e-5)...(max(largest, 1) + 1e-5)
    if mixed.allSatisfy(allowed.contains) { return mixed.map(ReferenceColor.encoded) }
    let ratio = largest > 0 ? min(max(smallest, 0), 1) / largest : 0
    let neutral = 1 - (1 - ratio) * (1 - ratio)
    let dimming = cbrt(min(max(largest, 1) / max(mixed.max()!, 1e-9), 1))
    let lab = ReferenceOKLab.lab(mixed).map { $0 * (neutral + (1 - neutral) * dimming) }
    return ReferenceSeenHues.fitted(
      lab[0], hypot(lab[1], lab[2]), atan2(lab[2], lab[1]), instead: pixel)
  }

  /// The matrix on linear light.
  static func matrix(temperature: Double, tint: Double) -> Matrix {
    let target = product(bradford, tristimulus(locus(6500)))
    let light = product(bradford, tristimulus(locus(temperature)))
    let green = product(bradford, tristimulus(isotherm(6500, tint / 3000)))
    // Column by column: what becomes of pure red, green and blue.
    let columns = (0..<3).map { channel -> Vector in
      let primary = (0..<3).map { $0 == channel ? 1.0 : 0.0 }
      let responses = product(bradford, product(toXYZ, primary))
      let adapted = (0..<3).map {
        responses[$0] * target[$0] * target[$0] / light[$0] / green[$0]
      }
      return solve(toXYZ, solve(bradford, adapted))
    }
    let raw = (0..<3).map { row in columns.map { $0[row] } }
    let luminance = product(toXYZ, product(raw, [1, 1, 1]))[1]
    return raw.map { $0.map { $0 / luminance } }
  }

  /// CIE 1960 (u, v) of a black body by Krystek.
  static func locus(_ kelvin: Double) -> Vector {
    let powers = [1, kelvin, kelvin * kelvin]
    func ratio(_ above: Vector, _ below: Vector) -> Double {
      zip(above, powers).map(*).reduce(0, +) / zip(below, powers).map(*).reduce(0, +)
    }
    return [
      ratio([0.860117757, 1.54118254e-4, 1.28641212e-7], [1, 8.42420235e-4, 7.08145163e-7]),
      ratio([0.317398726, 4.22806245e-5, 4.20481691e-8], [1, -2.89741816e-5, 1.61456053e-7]),
    ]
  }

  /// The point at a distance from the locus, at right angles to it and towards larger v.
  private static func isotherm(_ kelvin: Double, _ distance: Double) -> Vector {
    let (here, there) = (locus(kelvin), locus(kelvin * 1.000_001))
    let angle = atan2(there[1] - here[1], there[0] - here[0]) - .pi / 2
    return [here[0] + distance * cos(angle), here[1] + distance * sin(angle)]
  }

  private static func tristimulus(_ uv: Vector) -> Vector {
    let scale = 2 * uv[0] - 8 * uv[1] + 4
    let (x, y) = (3 * uv[0] / scale, 2 * uv[1] / scale)
    return [x / y, 1, (1 - x - y) / y]
  }

  private static let bradford: Matrix = [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ]

  /// Linear sRGB to XYZ from the chromaticities of IEC 61966-2-1.
  private static let toXYZ: Matrix = {
    func tristimulus(_ x: Double, _ y: Double) -> Vector { [x / y, 1, (1 - x - y) / y] }
    let primaries = [tristimulus(0.64, 0.33), tristimulus(0.30, 0.60), tristimulus(0.15, 0.06)]
    let unscaled = (0..<3).map { row in primaries.map { $0[row] } }
    let amounts = solve(unscaled, tristimulus(0.3127, 0.3290))
    return unscaled.map { row in zip(row, amounts).map(*) }
  }()

  private static func product(_ matrix: Matrix, _ vector: Vector) -> Vector {
    matrix.map { row in zip(row, vector).map(*).reduce(0, +) }
  }

  /// Cramer's rule.
  private static func solve(_ matrix: Matrix, _ right: Vector) -> Vector {
    func determinant(_ m: Matrix) -> Double {
      (0..<3).map { column -> Double in
        let (next, last) = ((column + 1) % 3, (column + 2) % 3)
        return m[0][column] * (m[1][next] * m[2][last] - m[1][last] * m[2][next])
      }.reduce(0, +)
    }
    let whole = determinant(matrix)
    return (0..<3).map { column in
      var replaced = matrix
      for row in 0..<3 { replaced[row][column] = right[row] }
      return determinant(replaced) / whole
    }
  }
}

/// Tints in double precision, from their formulas alone.
enum ReferenceHues {
  typealias Pixel = [Double]

  /// The strongest color of a hue, by the two corners of the hexagon around it.
  static func color(_ degrees: Double) -> Pixel {
    let corners: [Pixel] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
    let position = (degrees - 360 * floor(degrees / 360)) / 60
    let corner = min(Int(position), 5)
    let share = position - Double(corner)
    return zip(corners[corner], corners[(corner + 1) % 6]).map { $0 + share * ($1 - $0) }
  }

  /// A hue's strongest color less its luma.
  static func tint(_ degrees: Double) -> Pixel {
    let color = color(degrees)
    return color.map { $0 - ReferenceColor.luma(color) }
  }

  static func room(_ tone: Double) -> Double {
    1 - pow(2 * min(max(tone, 0), 1) - 1, 4)
  }

  static func graded(_ pixel: Pixel, _ grading: ColorGrading) -> Pixel {
    let tone = min(max(ReferenceColor.luma(pixel), 0), 1)
    let border = 0.5 - 0.3 * grading.balance / 100
    let reach = 0.2 + 0.3 * grading.blending / 100
    func step(_ middle: Double) -> Double {
      if tone <= middle - reach { return 0 }
      if tone >= middle + reach { return 1 }
      let x = (tone - (middle - reach)) / (2 * reach)
      return 3 * pow(x, 2) - 2 * pow(x, 3)
    }
    let (shadows, highlights) = (1 - step(0.6 * border), step(1 - 0.6 * (1 - border)))
    let parts = [
      (grading.shadows, shadows), (grading.midtones, 1 - shadows - highlights),
      (grading.highlights, highlights), (grading.global, 1),
    ]
    var result = pixel
    for (part, weight) in parts {
      let color = tint(part.hue)
      for channel in 0..<3 {
        result[channel] +=
          weight
          * (0.3 * part.saturation / 100 * color[channel] * room(tone)
            + 0.2 * part.luminance / 100 * 4 * (tone - tone * tone))
      }
    }
    return result
  }
}
