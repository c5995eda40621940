/// The white of glowing bodies.
enum BlackBody {
  /// XYZ with Y 1 of the light at a temperature.
  ///
  /// Source: M. Krystek, "An algorithm to calculate correlated color temperature", Color Research
  /// & Application 10 (1985), p. 38.
  ///
  /// - Parameters:
  ///   - kelvin: The temperature, from 1000; beyond 15,000 the formula loses accuracy slowly.
  ///   - distance: How far from the locus the white lies in CIE 1960 (u, v), at right angles to
  ///     it, which is along the line of equal temperature; negative towards magenta.
  static func white(kelvin: Double, towardsGreen distance: Double = 0) -> [Double] {
    let point = chromaticity(kelvin)
    // The locus is smooth: a hundredth of a kelvin to either side gives its direction.
    let (cooler, hotter) = (chromaticity(kelvin - 0.01), chromaticity(kelvin + 0.01))
    let (du, dv) = (hotter.u - cooler.u, hotter.v - cooler.v)
    let length = (du * du + dv * dv).squareRoot()
    // Towards hotter light u falls, so turning this way makes v grow: green.
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

extension ColorMatrix {
  /// CIE XYZ to the cone-like responses in which Bradford adapts to another white.
  ///
  /// Source: ICC.1:2022, annex E.
  static let bradford = ColorMatrix([
    0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
  ])

  /// Linear sRGB to CIE XYZ as it is, with the white D65.
  ///
  /// Source: the primaries and white of IEC 61966-2-1, to ten digits.
  static let sRGBToXYZOfD65 = ColorMatrix([
    0.412_390_799_3, 0.357_584_339_4, 0.180_480_788_4,
    0.212_639_005_9, 0.715_168_678_8, 0.072_192_315_4,
    0.019_330_818_7, 0.119_194_779_8, 0.950_532_152_2,
  ])

  /// The product with three numbers.
  func times(_ vector: [Double]) -> [Double] {
    (0..<3).map { row in
      elements[row * 3] * vector[0] + elements[row * 3 + 1] * vector[1]
        + elements[row * 3 + 2] * vector[2] + offset[row]
    }
  }
}
