import SafelightAdjustments
import SafelightColorKernels

extension WhiteBalance: LightRenderable {
  var light: ColorMatrix { matrix ?? .identity }

  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral, let matrix else { return [] }
    return [.kernel(BalanceKernel(matrix))]
  }

  /// What adapts linear light, but for colors near white and those that would leave sRGB.
  ///
  /// By Bradford, because ICC profiles and raw converters adapt by it, so that a temperature means here what it means
  /// there, and because CAT16 (C. Li et al., Color Research & Application 42, 2017) takes more colors out of sRGB: of
  /// 200,000 random ones 38 % below 0 at 4000 K and 9 % at 8000 K, Bradford 31 and 7 %.
  var matrix: ColorMatrix? {
    let neutral = BlackBody.white(kelvin: Self().temperature)
    let warmed = BlackBody.white(kelvin: temperature)
    let tinted = BlackBody.white(kelvin: Self().temperature, towardsGreen: tint / 3000)
    let responses = [neutral, warmed, tinted].map { ColorMatrix.bradford.times($0) }
    let gains = (0..<3).map { (cone: Int) -> Double in
      responses[0][cone] / responses[1][cone] * (responses[0][cone] / responses[2][cone])
    }
    let scaling = ColorMatrix([gains[0], 0, 0, 0, gains[1], 0, 0, 0, gains[2]])
    let toResponses = ColorMatrix.bradford * .sRGBToXYZOfD65
    guard let fromResponses = toResponses.inverse else { return nil }
    let adapted = fromResponses * scaling * toResponses
    let gray = ColorMatrix.sRGBToXYZOfD65.times(adapted.times([1, 1, 1]))
    return .scale(1 / gray[1]) * adapted
  }
}

/// Adapts colors, and leads those near white to white; see `WhiteBalance`.
private struct BalanceKernel: ColorKernel {
  let space = ColorSpace.linear
  let dependsOnPlace = false
  private let balance: SafelightBalance

  init(_ matrix: ColorMatrix) {
    let m = matrix.elements.map { Float($0) }
    balance = SafelightBalance(
      rows: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]), start: 0.7)
  }

  func apply(to tile: ColorTile) {
    withUnsafePointer(to: balance) { kernels.balance(tile.red, $0, Int32(tile.count)) }
  }
}

/// The white of bodies that glow.
enum BlackBody {
  /// XYZ with Y 1 of the light at a temperature.
  ///
  /// Source: M. Krystek, "An algorithm to calculate correlated color temperature", Color Research
  /// & Application 10 (1985), p. 38.
  ///
  /// - Parameters:
  ///   - kelvin: The temperature, from 1000; beyond 15,000 the formula loses accuracy slowly.
  ///   - distance: The distance of the white from the locus in CIE 1960 (u, v), at right angles to
  ///     the locus, that is, along the line of equal temperature; negative towards magenta.
  static func white(kelvin: Double, towardsGreen distance: Double = 0) -> [Double] {
    let point = chromaticity(kelvin)
    // The locus is smooth: a hundredth of a kelvin to either side gives its direction.
    let (cooler, hotter) = (chromaticity(kelvin - 0.01), chromaticity(kelvin + 0.01))
    let (du, dv) = (hotter.u - cooler.u, hotter.v - cooler.v)
    let length = (du * du + dv * dv).squareRoot()
    // Towards hotter light u falls, so a turn in this direction makes v grow: green.
    let (u, v) = (point.u + distance * dv / length, point.v - distance * du / length)
    let (x, y) = (3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4))
    return [x / y, 1, (1 - x - y) / y]
  }

  /// The chromaticity on the locus, in CIE 1960 (u, v).
  private static func chromaticity(_ t: Double) -> (u: Double, v: Double) {
    let u =
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
      / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
    let v =
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
      / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    return (u, v)
  }
}
