import Glibc
import SafelightVips

/// How far a pass bends light: what it makes of a mean of two colors, beside the mean of what it makes of
/// the two.
///
/// Where both are the same, a picture can be reduced before the pass as well as after it. Exposure bends
/// nothing but what it clips, contrast bends the more the stronger it is.
enum ColorBend {
  /// The differences between codes that are tried, ascending.
  private static let differences = [8, 12, 16, 24, 32, 48, 64, 96, 128]
  /// The error in codes that is let pass: less than 1 in CIEDE2000.
  private static let tolerance = 2.0
  /// For passes that cannot be tried on single colors, because they look around a pixel.
  private static let usual = 12

  /// The largest difference between codes, of 255, at which the order makes no difference that is seen.
  ///
  /// - Parameter pass: From 8-bit codes to 8-bit codes; `nil` for several passes.
  static func difference(of pass: ColorPass?) -> Int {
    guard let pass, !pass.dependsOnPlace else { return usual }
    let results = results(of: pass.rowFunction(bands: 3))
    let harmless = differences.prefix { difference in
      !results.contains { bends($0, from: difference) }
    }
    guard let largest = harmless.last else { return differences[0] / 2 }
    return largest == differences.last ? 255 : largest
  }

  /// What a pass makes of 256 grays, and of as many colors in which one channel changes: three codes each.
  private static func results(of pass: ColorPass.RowFunction) -> [[UInt8]] {
    let ramps = (0..<4).map { ramp in
      var codes = [UInt8](repeating: 128, count: 3 * 256)
      for code in 0..<256 {
        for channel in 0..<3 where ramp == 0 || ramp == channel + 1 {
          codes[3 * code + channel] = UInt8(code)
        }
      }
      return codes
    }
    return ramps.map { ramp in
      [UInt8](unsafeUninitializedCapacity: ramp.count) { output, count in
        ramp.withUnsafeBytes { input in
          pass(
            Scanline(
              input: input.baseAddress!, output: UnsafeMutableRawPointer(output.baseAddress!),
              count: 256, x: 0, y: 0))
        }
        count = ramp.count
      }
    }
  }

  /// Whether the order makes a difference for two colors of a ramp that are so far from each other.
  private static func bends(_ results: [UInt8], from difference: Int) -> Bool {
    stride(from: 0, to: 256 - difference, by: 3).contains { first in
      let middle = codes((light[first] + light[first + difference]) / 2)
      let (place, share) = (Int(middle), middle - Double(Int(middle)))
      return (0..<3).contains { channel in
        func result(_ code: Int) -> Int { Int(results[3 * min(code, 255) + channel]) }
        let before = Double(result(place)) * (1 - share) + Double(result(place + 1)) * share
        let after = codes((light[result(first)] + light[result(first + difference)]) / 2)
        return abs(before - after) > tolerance
      }
    }
  }

  /// The light of each code of sRGB.
  private static let light = (0...255).map { code -> Double in
    let share = Double(code) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  /// Light as a code, not rounded.
  private static func codes(_ light: Double) -> Double {
    255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }
}
