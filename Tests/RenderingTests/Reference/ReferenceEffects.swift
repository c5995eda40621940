import Foundation
import SafelightAdjustments

/// The adjustments that depend on the place, once more in double precision.
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

  static func grain(_ pixel: Pixel, _ grain: Grain, x: Int, y: Int, scale: Double = 1) -> Pixel {
    let roughness = grain.roughness / 100
    let noise =
      (lattice(grain, octave: 1, x: x, y: y, scale: scale)
        + roughness * lattice(grain, octave: 2, x: x, y: y, scale: scale))
      / hypot(1, roughness)
    let luma = min(max(ReferenceColor.luma(pixel), 0), 1)
    let change = 0.0008 * grain.amount * noise * (1 - pow(2 * luma - 1, 2))
    return pixel.map { $0 + change }
  }

  private static func lattice(_ grain: Grain, octave: Int, x: Int, y: Int, scale: Double) -> Double
  {
    let cell = grain.size * Double(octave)
    let pixel = 1 / scale
    func place(_ column: Int) -> Double {
      pixel > 1 && pixel >= cell
        ? Double(column) : ((Double(column) + 0.5) * pixel - 0.5) / cell
    }
    let key = mix(UInt64(grain.seed) + 0x9E37_79B9 * UInt64(octave))
    let (across, down) = (place(x), place(y))
    var sum = 0.0
    for row in Int(down) - 2...Int(down) + 3 {
      let rowKey = mix(key + wrapped(row))
      for column in Int(across) - 2...Int(across) + 3 {
        let weight = spline(across - Double(column)) * spline(down - Double(row))
        guard weight > 0 else { continue }
        let bits = mix(rowKey + wrapped(column))
        sum += weight * (Double(bits % 65_536) + Double(bits / 65_536) - 65_535) / 65_535
      }
    }
    let norms = [across, down].map { place in
      1.2978 + 0.4656 * pow(place - place.rounded(), 2)
    }
    return sum * norms[0] * norms[1] * sqrt(6) * 1.75 * cell / (1.75 * cell + pixel - 1)
  }

  private static func spline(_ distance: Double) -> Double {
    let far = abs(distance)
    if far <= 0.5 { return 0.75 - far * far }
    return far < 1.5 ? pow(1.5 - far, 2) / 2 : 0
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
