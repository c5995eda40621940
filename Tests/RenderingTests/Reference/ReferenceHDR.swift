import Foundation
import SafelightMetadata

/// High dynamic range brought into standard range, in double precision, by the published formulas:
/// ITU-R BT.2100-2 (PQ, HLG), ITU-R BT.2390-10, 5.4.1 (EETF), for a target of 203 nits.
struct ReferenceHDR: Sendable {
  /// Codes of ITU-T H.273.
  let transfer, primaries: Int
  /// The brightest light that the file states, in nits.
  let statedPeak: Double?

  var kind: HDRTransfer { transfer == 16 ? .pq : .hlg }

  /// Codes of the primaries' profile with the curve of sRGB, from codes of the file.
  func rendered(_ codes: [Double]) -> [Double] {
    let light = kind == .pq ? codes.map(Self.nits) : hlgNits(codes)
    let peak = kind == .pq ? max(statedPeak ?? 1000, 203) : 1000
    let brightest = light.max()!
    let factor = brightest > 0 ? Self.toneMapped(brightest, peak: peak) / brightest : 1
    return light.map { ReferenceColor.encoded(min(max($0 * factor / 203, 0), 1)) }
  }

  /// The light of codes of the file; white is 1.
  func light(_ codes: [Double]) -> [Double] {
    (kind == .pq ? codes.map(Self.nits) : hlgNits(codes)).map { $0 / 203 }
  }

  private static let (m1, m2) = (0.159_301_757_812_5, 78.843_75)
  private static let (c1, c2, c3) = (0.835_937_5, 18.851_562_5, 18.687_5)

  private static func nits(_ code: Double) -> Double {
    let power = pow(code, 1 / m2)
    return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  private static func code(_ nits: Double) -> Double {
    let power = pow(nits / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  private static func toneMapped(_ light: Double, peak: Double) -> Double {
    let e1 = min(code(light) / code(peak), 1)
    let maximum = code(203) / code(peak)
    let start = 1.5 * maximum - 0.5
    guard e1 >= start else { return light }
    guard start < 1 else { return 203 }
    let t = (e1 - start) / (1 - start)
    let p =
      (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * start + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - start)
      + (-2 * pow(t, 3) + 3 * pow(t, 2)) * maximum
    return nits(p * code(peak))
  }

  private func hlgNits(_ codes: [Double]) -> [Double] {
    let scene = codes.map { code in
      code <= 0.5
        ? code * code / 3 : (exp((code - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
    }
    // Luminance of each primary, by its chromaticity and white D65.
    let weights =
      primaries == 9
      ? [0.262_700_2, 0.677_998_1, 0.059_301_7] : [0.228_974_6, 0.691_738_5, 0.079_286_9]
    let luminance = zip(scene, weights).reduce(0) { $0 + $1.0 * $1.1 }
    return scene.map { 1000 * pow(luminance, 0.2) * $0 }
  }
}
