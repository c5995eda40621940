import Foundation
import SafelightAdjustments

/// OKLab in double precision, to measure hues and to follow formulas that work in it.
///
/// Source: B. Ottosson, "A perceptual color space for image processing", 2020. The second matrices
/// are solved for, so that only the published forward ones are needed.
enum ReferenceOKLab {
  typealias Vector = [Double]

  private static let toCones: [Vector] = [
    [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ]
  private static let toLab: [Vector] = [
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ]

  /// Lightness, a and b of linear light.
  static func lab(_ light: Vector) -> Vector {
    product(toLab, product(toCones, light).map { cbrt($0) })
  }

  /// Linear light of lightness, a and b.
  static func light(_ lab: Vector) -> Vector {
    solve(toCones, solve(toLab, lab).map { $0 * $0 * $0 })
  }

  /// The hue of an encoded color in degrees.
  static func hue(ofEncoded color: Vector) -> Double {
    let lab = lab(color.map(ReferenceColor.linear))
    return atan2(lab[2], lab[1]) * 180 / .pi
  }

  /// The difference of two angles, -180 to 180 degrees.
  static func turn(from first: Double, to second: Double) -> Double {
    (second - first + 900).truncatingRemainder(dividingBy: 360) - 180
  }

  private static func product(_ matrix: [Vector], _ vector: Vector) -> Vector {
    matrix.map { zip($0, vector).map(*).reduce(0, +) }
  }

  /// Gauss elimination with pivots.
  static func solve(_ matrix: [Vector], _ right: Vector) -> Vector {
    var rows = zip(matrix, right).map { $0 + [$1] }
    for column in 0..<3 {
      let pivot = (column..<3).max { abs(rows[$0][column]) < abs(rows[$1][column]) }!
      rows.swapAt(column, pivot)
      for row in 0..<3 where row != column {
        let factor = rows[row][column] / rows[column][column]
        for index in column..<4 { rows[row][index] -= factor * rows[column][index] }
      }
    }
    return (0..<3).map { rows[$0][3] / rows[$0][$0] }
  }
}

/// The adjustments by hue as it is seen, in double precision from their formulas alone.
enum ReferenceSeenHues {
  typealias Pixel = [Double]

  static func turned(_ pixel: Pixel, degrees: Double) -> Pixel {
    let (lab, angle) = (ReferenceOKLab.lab(pixel.map(ReferenceColor.linear)), degrees * .pi / 180)
    let (chroma, hue) = (hypot(lab[1], lab[2]), atan2(lab[2], lab[1]))
    return fitted(
      lab[0], chroma, hue + angle, instead: pixel, gain: 1 + min(abs(sin(angle / 2)) / 2, 0.1))
  }

  /// Whether a color has the hue of sRGB's blue to a tenth of a degree. With growing chroma such colors leave sRGB and come
  /// back, so that more than one chroma is the largest of those around it.
  static func isHollow(_ pixel: Pixel) -> Bool {
    let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
    let turn = ReferenceOKLab.turn(from: 264.15, to: atan2(lab[2], lab[1]) * 180 / .pi)
    return hypot(lab[1], lab[2]) > 0.05 && abs(turn) < 0.25
  }

  /// A color with so many times its chroma: at its lightness when it becomes stronger, at its luminance otherwise.
  private static func strengthened(_ pixel: Pixel, _ factor: Double) -> Pixel {
    let light = pixel.map(ReferenceColor.linear)
    let lab = ReferenceOKLab.lab(light)
    var scale = 1.0
    if factor < 1 {
      let pale = ReferenceColor.luma(
        ReferenceOKLab.light([lab[0], factor * lab[1], factor * lab[2]]))
      if pale > 1e-9 { scale = cbrt(min(max(ReferenceColor.luma(light) / pale, 0.25), 4)) }
    }
    return fitted(
      scale * lab[0], scale * factor * hypot(lab[1], lab[2]), atan2(lab[2], lab[1]), instead: pixel,
      gain: factor,
      slack: factor > 1
        ? 0.004 * pow(factor, 3) * max(light[2] - max(light[0], light[1]), 0) : nil)
  }

  static func saturated(_ pixel: Pixel, amount: Double) -> Pixel {
    strengthened(pixel, 1 + amount / 100)
  }

  static func vibrant(_ pixel: Pixel, amount: Double) -> Pixel {
    let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
    let weakness = 1 - min(4 * hypot(lab[1], lab[2]), 1)
    let away = abs(ReferenceOKLab.turn(from: 57, to: atan2(lab[2], lab[1]) * 180 / .pi))
    let skin = amount > 0 ? max(1 - away / 38, 0) : 0
    func smooth(_ value: Double) -> Double {
      let t = min(max(value, 0), 1)
      return t * t * (3 - 2 * t)
    }
    let snow = smooth((lab[0] - 0.72) / 0.15) * (1 - smooth((0.25 * (1 - weakness) - 0.012) / 0.04))
    let spared = (1 - skin / 2) * (amount > 0 ? 1 - snow : 1)
    return strengthened(pixel, 1 + amount / 100 * weakness * weakness * spared)
  }

  private static let middles: [Double] = [30, 60, 105, 135, 195, 255, 300, 345, 390]

  /// By what a color is judged: the a and b that count, and the share of the settings that it gets.
  struct Judged {
    var a, b: Double
    var trust = 1.0

    /// The color alone.
    init(_ pixel: Pixel) {
      let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
      (a, b) = (lab[1], lab[2])
    }

    /// The color, a share of the way to a calm one, where chroma of a square may be noise.
    init(_ pixel: Pixel, calm: (a: Double, b: Double), share: Double, noise: Double) {
      self.init(pixel)
      a += share * (calm.a - a)
      b += share * (calm.b - b)
      let square = a * a + b * b
      trust = square > 0 ? square / (square + share * noise) : 0
    }

    var strength: Double { min(4 * hypot(a, b), 1) }

    /// The mean of the settings of the two bands around the hue, times the trust.
    func weighted(_ value: (Int) -> Double) -> Double {
      let angle = atan2(b, a) * 180 / .pi
      let hue = angle < 30 ? angle + 360 : angle
      let band = (0..<8).last { middles[$0] <= hue } ?? 7
      let t = (hue - middles[band]) / (middles[band + 1] - middles[band])
      let later = t * t * (3 - 2 * t)
      return trust * (value(band) * (1 - later) + value((band + 1) % 8) * later)
    }
  }

  static func mixed(_ pixel: Pixel, _ mixer: ColorMixer) -> Pixel {
    mixed(pixel, mixer, Judged(pixel))
  }

  static func mixed(_ pixel: Pixel, _ mixer: ColorMixer, _ judged: Judged) -> Pixel {
    let bands = [
      mixer.red, mixer.orange, mixer.yellow, mixer.green, mixer.aqua, mixer.blue, mixer.purple,
      mixer.magenta,
    ]
    let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
    let turn = judged.weighted { index in
      let next = middles[index + 1] - middles[index]
      let previous = index == 0 ? 45 : middles[index] - middles[index - 1]
      return bands[index].hue / 100 * 0.6 * (bands[index].hue > 0 ? next : previous)
    }
    let saturation = judged.weighted { bands[$0].saturation / 100 }
    let luminance = judged.weighted { bands[$0].luminance / 100 }
    let weak = judged.strength
    let gain = saturation > 0 ? 1 + saturation * (1 - weak) : 1 + saturation
    let (dark, rise) = lightened(luminance, weak, lab[0])
    return fitted(
      dark * lab[0] + rise, dark * gain * hypot(lab[1], lab[2]),
      atan2(lab[2], lab[1]) + turn * .pi / 180, instead: pixel,
      gain: max(gain, 1) * (1 + abs(turn) * .pi / 720))
  }

  /// The factor of a tone, and the number that is added.
  private static func lightened(_ luminance: Double, _ strength: Double, _ tone: Double) -> (
    Double, Double
  ) {
    luminance < 0
      ? (1 + 0.8 * luminance * strength, 0)
      : (1, luminance * (1 - pow(1 - strength, 2)) * max(tone - tone * tone, 0))
  }

  static func blackAndWhite(_ pixel: Pixel, _ adjustment: BlackAndWhite) -> Pixel {
    blackAndWhite(pixel, adjustment, Judged(pixel))
  }

  static func blackAndWhite(_ pixel: Pixel, _ adjustment: BlackAndWhite, _ judged: Judged) -> Pixel
  {
    let bands = [
      adjustment.red, adjustment.orange, adjustment.yellow, adjustment.green, adjustment.aqua,
      adjustment.blue, adjustment.purple, adjustment.magenta,
    ]
    let light = pixel.map(ReferenceColor.linear)
    let tone = ReferenceColor.encoded(ReferenceColor.luma(light))
    let (dark, rise) = lightened(judged.weighted { bands[$0] / 100 }, judged.strength, tone)
    let gray = dark * tone + rise
    let tint = ReferenceHues.tint(adjustment.toningHue)
    return (0..<3).map { channel in
      let toned =
        gray + 0.25 * adjustment.toning / 100 * tint[channel] * ReferenceHues.room(gray)
      let before = light[channel]
      return ReferenceColor.encoded(
        before + adjustment.amount / 100 * (ReferenceColor.linear(toned) - before))
    }
  }

  /// The encoded color of a lightness, chroma and hue in radians, with less chroma where it would
  /// leave sRGB, and with less light where the chroma gained may lead above its largest number.
  ///
  /// - Parameter slack: How far channels may lie below 0 before they are cut off there. With one, the color before is the
  ///   weakest that may come of it.
  static func fitted(
    _ lightness: Double, _ chroma: Double, _ hue: Double, instead pixel: Pixel, gain: Double = 1,
    slack: Double? = nil
  ) -> Pixel {
    let before = pixel.map(ReferenceColor.linear)
    let largest = max(before.max()!, 1) + 1e-5
    let floor = min(before.min()!, 0) - 1e-5
    let allowed = (floor - (slack ?? 0))...(largest * pow(max(gain, 1), 3))
    func light(_ share: Double) -> Pixel {
      let c = share * chroma
      return ReferenceOKLab.light([lightness, c * cos(hue), c * sin(hue)])
    }
    func isInside(_ share: Double) -> Bool { light(share).allSatisfy(allowed.contains) }
    func dimmed(_ share: Double) -> Pixel {
      let color = light(share)
      let dimming = color.max()! > largest ? largest / color.max()! : 1
      return color.map { ReferenceColor.encoded(max(dimming * $0, floor)) }
    }
    if isInside(1) { return dimmed(1) }
    var (inside, beyond) = (slack == nil ? 0 : min(1 / gain, 1), 1.0)
    for _ in 0..<50 {
      let middle = (inside + beyond) / 2
      if isInside(middle) { inside = middle } else { beyond = middle }
    }
    return dimmed(inside)
  }
}
