import Glibc
import SafelightMetadata

/// The chromaticities of a color space: of white, and of full red, green and blue.
struct ColorPrimaries: Hashable, Sendable {
  /// A color without its brightness, x and y of CIE 1931.
  struct Chromaticity: Hashable, Sendable {
    let x, y: Double

    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  let white, red, green, blue: Chromaticity

  private static let d65 = Chromaticity(0.3127, 0.3290)
  private static let illuminantC = Chromaticity(0.310, 0.316)

  private static func of(
    _ white: Chromaticity, _ red: (Double, Double), _ green: (Double, Double),
    _ blue: (Double, Double)
  ) -> ColorPrimaries {
    ColorPrimaries(
      white: white, red: Chromaticity(red.0, red.1), green: Chromaticity(green.0, green.1),
      blue: Chromaticity(blue.0, blue.1))
  }

  /// IEC 61966-2-1 and ITU-R BT.709-6.
  static let sRGB = of(d65, (0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
  /// SMPTE EG 432-1.
  static let displayP3 = of(d65, (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
  /// ITU-R BT.2020-2.
  static let rec2020 = of(d65, (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
  /// Adobe RGB (1998) color image encoding, 2005-05; Exif's R03 has the same (CIPA DC-009, DCF 2.0).
  static let adobeRGB = of(d65, (0.640, 0.330), (0.210, 0.710), (0.150, 0.060))

  /// ISO 22028-2, with the white of D50.
  static let proPhoto = of(
    Chromaticity(0.3457, 0.3585), (0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001))

  /// Color primaries by their codes. Source: ITU-T H.273, table 2.
  private static let coded: [Int: ColorPrimaries] = [
    1: sRGB,
    4: of(illuminantC, (0.67, 0.33), (0.21, 0.71), (0.14, 0.08)),
    5: of(d65, (0.64, 0.33), (0.29, 0.60), (0.15, 0.06)),
    6: of(d65, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    7: of(d65, (0.630, 0.340), (0.310, 0.595), (0.155, 0.070)),
    8: of(illuminantC, (0.681, 0.319), (0.243, 0.692), (0.145, 0.049)),
    9: rec2020,
    10: of(Chromaticity(1 / 3.0, 1 / 3.0), (1, 0), (0, 1), (0, 0)),
    11: of(Chromaticity(0.314, 0.351), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
    12: displayP3,
    22: of(d65, (0.630, 0.340), (0.295, 0.605), (0.155, 0.077)),
  ]

  /// The primaries of a code; `nil` for those that are not specified or reserved.
  init?(code: Int) {
    guard let primaries = Self.coded[code] else { return nil }
    self = primaries
  }

  init(white: Chromaticity, red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
    (self.white, self.red, self.green, self.blue) = (white, red, green, blue)
  }

  /// The primaries that a file states by their chromaticities, or by a code; `nil` when it states none that can be.
  init?(_ color: CodedColor) {
    guard let numbers = color.chromaticities else {
      self.init(code: color.primaries)
      return
    }
    func chromaticity(_ index: Int) -> Chromaticity {
      Chromaticity(numbers[2 * index], numbers[2 * index + 1])
    }
    guard numbers.count == 8, numbers[1] > 0, numbers.allSatisfy({ (0...1).contains($0) })
    else { return nil }
    self.init(
      white: chromaticity(0), red: chromaticity(1), green: chromaticity(2), blue: chromaticity(3))
  }

  /// The primaries of a matrix from linear light to linear sRGB, after their white was adapted to D50.
  init(ofMatrix toSRGB: ColorMatrix) {
    let columns = (ColorMatrix.sRGBToXYZ * toSRGB).elements
    func chromaticity(_ light: [Double]) -> Chromaticity {
      let sum = light.reduce(0, +)
      return Chromaticity(light[0] / sum, light[1] / sum)
    }
    let colors = (0..<3).map { column in (0..<3).map { columns[3 * $0 + column] } }
    self.init(
      white: chromaticity((0..<3).map { row in columns[(3 * row)..<(3 * row + 3)].reduce(0, +) }),
      red: chromaticity(colors[0]), green: chromaticity(colors[1]), blue: chromaticity(colors[2]))
  }
}

/// The curve from codes to light of a color space.
enum TransferCurve: Hashable, Sendable {
  /// IEC 61966-2-1.
  case sRGB
  /// A power of the code.
  case gamma(Double)
  /// ITU-R BT.709-6 with the digits of BT.2020-2: the inverse of the camera's curve.
  case bt709
  /// SMPTE ST 240.
  case smpte240
  /// Logarithmic over so many decades of light.
  case logarithmic(decades: Double)
  /// SMPTE ST 428-1: white is 48 of the 52.37 cd/m² that the largest code stands for.
  case st428

  /// The curve of a code; `nil` for those that are not specified or reserved, and for high dynamic range.
  ///
  /// Codes of photos are positive, and for them the curves of IEC 61966-2-4 and ITU-R BT.1361 are that of BT.709.
  /// Source: ITU-T H.273, table 3.
  init?(code: Int) {
    switch code {
    case 1, 6, 11, 12, 14, 15: self = .bt709
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 7: self = .smpte240
    case 8: self = .gamma(1)
    case 9: self = .logarithmic(decades: 2)
    case 10: self = .logarithmic(decades: 2.5)
    case 13: self = .sRGB
    case 17: self = .st428
    default: return nil
    }
  }

  /// The curve that a file states by an exponent, or by a code; `nil` when it states none that can be.
  init?(_ color: CodedColor) {
    guard let exponent = color.exponent else {
      self.init(code: color.transfer)
      return
    }
    guard (0.1...10).contains(exponent) else { return nil }
    self = .gamma(exponent)
  }

  /// A curve of two parts, as ICC profiles have it: `(a x + b)^g` from `d` on, and `c x` below.
  struct Parts {
    let g, a, b, c, d: Double
  }

  /// The parts of a curve that has two.
  var parts: Parts? {
    func parts(_ exponent: Double, offset: Double, slope: Double, from light: Double) -> Parts {
      Parts(
        g: exponent, a: 1 / (1 + offset), b: offset / (1 + offset), c: 1 / slope, d: slope * light)
    }
    return switch self {
    case .sRGB: Parts(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
    case .bt709:
      parts(1 / 0.45, offset: 0.099_296_826_809_442, slope: 4.5, from: 0.018_053_968_510_807)
    case .smpte240: parts(1 / 0.45, offset: 0.1115, slope: 4, from: 0.0228)
    case .gamma, .logarithmic, .st428: nil
    }
  }

  /// Whether the largest code is white, so that a profile can have the curve.
  var endsAtWhite: Bool { self != .st428 }

  /// The light of a code from 0 to 1; white is 1.
  func light(_ code: Double) -> Double {
    if let parts {
      return code >= parts.d ? pow(parts.a * code + parts.b, parts.g) : parts.c * code
    }
    return switch self {
    case .gamma(let exponent): pow(code, exponent)
    case .logarithmic(let decades): code > 0 ? pow(10, (code - 1) * decades) : 0
    case .st428: 52.37 / 48 * pow(code, 2.6)
    case .sRGB, .bt709, .smpte240: code
    }
  }
}
