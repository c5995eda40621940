import Foundation
import SafelightAdjustments

/// The adjustments that look at hues once more in double precision, from their formulas alone.
enum ReferenceHues {
  typealias Pixel = [Double]

  /// A turn about the axis of grays by Rodrigues' formula, with the luma put back.
  static func turned(_ pixel: Pixel, degrees: Double) -> Pixel {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let mean = pixel.reduce(0, +) / 3
    let axis = 1 / 3.0.squareRoot()
    let turned = (0..<3).map { i -> Double in
      let cross = axis * (pixel[(i + 2) % 3] - pixel[(i + 1) % 3])
      return c * pixel[i] + s * cross + (1 - c) * mean
    }
    let change = ReferenceColor.luma(pixel) - ReferenceColor.luma(turned)
    return turned.map { $0 + change }
  }

  /// The hue of the hexagon in degrees, by the cases of the HSV model.
  static func hue(_ pixel: Pixel) -> Double {
    let (high, low) = (pixel.max()!, pixel.min()!)
    guard high > low else { return 0 }
    let (r, g, b) = (pixel[0], pixel[1], pixel[2])
    if r == high { return 60 * ((g - b) / (high - low)) + (g < b ? 360 : 0) }
    return g == high ? 120 + 60 * (b - r) / (high - low) : 240 + 60 * (r - g) / (high - low)
  }

  /// The strongest color of a hue, by the corners of the hexagon it lies between.
  static func color(_ degrees: Double) -> Pixel {
    let corners: [Pixel] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]
    let position = (degrees - 360 * floor(degrees / 360)) / 60
    let corner = min(Int(position), 5)
    let share = position - Double(corner)
    return zip(corners[corner], corners[(corner + 1) % 6]).map { $0 + share * ($1 - $0) }
  }

  /// A hue's strongest color less its luma.
  private static func tint(_ degrees: Double) -> Pixel {
    let color = color(degrees)
    return color.map { $0 - ReferenceColor.luma(color) }
  }

  private static let middles: [Double] = [0, 30, 60, 120, 180, 225, 270, 315, 360]

  /// How much each of the eight bands counts at a hue.
  static func weights(_ hue: Double) -> [Double] {
    var weights = [Double](repeating: 0, count: 8)
    let band = (0..<8).last { middles[$0] <= hue } ?? 0
    let t = (hue - middles[band]) / (middles[band + 1] - middles[band])
    weights[band] = 1 - 3 * pow(t, 2) + 2 * pow(t, 3)
    weights[(band + 1) % 8] += 3 * pow(t, 2) - 2 * pow(t, 3)
    return weights
  }

  static func mixed(_ pixel: Pixel, _ mixer: ColorMixer) -> Pixel {
    let bands = [
      mixer.red, mixer.orange, mixer.yellow, mixer.green, mixer.aqua, mixer.blue, mixer.purple,
      mixer.magenta,
    ]
    let hue = hue(pixel)
    let weights = weights(hue)
    func weighted(_ value: (Int) -> Double) -> Double {
      (0..<8).map { weights[$0] * value($0) }.reduce(0, +)
    }
    let turn = weighted { index in
      let next = middles[index + 1] - middles[index]
      let previous = index == 0 ? 45 : middles[index] - middles[index - 1]
      return bands[index].hue / 100 * 0.6 * (bands[index].hue > 0 ? next : previous)
    }
    let saturation = weighted { bands[$0].saturation / 100 }
    let luminance = weighted { bands[$0].luminance / 100 }

    let chroma = pixel.max()! - pixel.min()!
    let weak = min(chroma, 1)
    let gain = saturation > 0 ? 1 + saturation * (1 - weak) : 1 + saturation
    let (dark, light) = lightness(luminance, pixel)
    let luma = ReferenceColor.luma(pixel)
    return tint(hue + turn).map { dark * (luma + gain * chroma * $0) + light }
  }

  /// The factor on luma and what is added to it.
  private static func lightness(_ luminance: Double, _ pixel: Pixel) -> (Double, Double) {
    let chroma = min(pixel.max()! - pixel.min()!, 1)
    let luma = ReferenceColor.luma(pixel)
    return luminance < 0
      ? (1 + 0.8 * luminance * chroma, 0)
      : (1, luminance * (1 - pow(1 - chroma, 2)) * max(luma - luma * luma, 0))
  }

  static func blackAndWhite(_ pixel: Pixel, _ adjustment: BlackAndWhite) -> Pixel {
    let bands = [
      adjustment.red, adjustment.orange, adjustment.yellow, adjustment.green, adjustment.aqua,
      adjustment.blue, adjustment.purple, adjustment.magenta,
    ]
    let luminance = zip(weights(hue(pixel)), bands).map { $0 * $1 / 100 }.reduce(0, +)
    let (dark, light) = lightness(luminance, pixel)
    let gray = dark * ReferenceColor.luma(pixel) + light
    let room = room(gray)
    return zip(pixel, tint(adjustment.toningHue)).map { channel, tint in
      let toned = gray + 0.25 * adjustment.toning / 100 * tint * room
      return channel + adjustment.amount / 100 * (toned - channel)
    }
  }

  private static func room(_ tone: Double) -> Double {
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
