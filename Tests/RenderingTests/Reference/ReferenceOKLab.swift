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
  private static func solve(_ matrix: [Vector], _ right: Vector) -> Vector {
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
    return fitted(lab[0], chroma, hue + angle, instead: pixel)
  }

  private static let middles: [Double] = [30, 60, 105, 135, 195, 255, 300, 345, 390]

  static func mixed(_ pixel: Pixel, _ mixer: ColorMixer) -> Pixel {
    let bands = [
      mixer.red, mixer.orange, mixer.yellow, mixer.green, mixer.aqua, mixer.blue, mixer.purple,
      mixer.magenta,
    ]
    let lab = ReferenceOKLab.lab(pixel.map(ReferenceColor.linear))
    let chroma = hypot(lab[1], lab[2])
    let angle = atan2(lab[2], lab[1]) * 180 / .pi
    let hue = angle < 30 ? angle + 360 : angle
    let band = (0..<8).last { middles[$0] <= hue } ?? 7
    let t = (hue - middles[band]) / (middles[band + 1] - middles[band])
    let later = t * t * (3 - 2 * t)
    func weighted(_ value: (Int) -> Double) -> Double {
      value(band) * (1 - later) + value((band + 1) % 8) * later
    }
    let turn = weighted { index in
      let next = middles[index + 1] - middles[index]
      let previous = index == 0 ? 45 : middles[index] - middles[index - 1]
      return bands[index].hue / 100 * 0.6 * (bands[index].hue > 0 ? next : previous)
    }
    let saturation = weighted { bands[$0].saturation / 100 }
    let luminance = weighted { bands[$0].luminance / 100 }
    let weak = min(4 * chroma, 1)
    let gain = saturation > 0 ? 1 + saturation * (1 - weak) : 1 + saturation
    let dark = luminance < 0 ? 1 + 0.8 * luminance * weak : 1
    let rise =
      luminance > 0 ? luminance * (1 - pow(1 - weak, 2)) * max(lab[0] - lab[0] * lab[0], 0) : 0
    return fitted(
      dark * lab[0] + rise, dark * gain * chroma, (hue + turn) * .pi / 180, instead: pixel)
  }

  /// The encoded color of a lightness, chroma and hue in radians, with less chroma where it would
  /// leave sRGB.
  static func fitted(
    _ lightness: Double, _ chroma: Double, _ hue: Double, instead pixel: Pixel
  ) -> Pixel {
    let before = pixel.map(ReferenceColor.linear)
    let allowed = (min(before.min()!, 0) - 1e-5)...(max(before.max()!, 1) + 1e-5)
    func light(_ share: Double) -> Pixel {
      let c = share * chroma
      return ReferenceOKLab.light([lightness, c * cos(hue), c * sin(hue)])
    }
    func isInside(_ share: Double) -> Bool { light(share).allSatisfy(allowed.contains) }
    if isInside(1) { return light(1).map(ReferenceColor.encoded) }
    var (inside, beyond) = (0.0, 1.0)
    for _ in 0..<50 {
      let middle = (inside + beyond) / 2
      if isInside(middle) { inside = middle } else { beyond = middle }
    }
    return light(inside).map(ReferenceColor.encoded)
  }
}
