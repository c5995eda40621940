import SafelightAdjustments
import SafelightCLCMS

extension RenderOutput {
  /// The color profile of a picture.
  public enum Profile: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// The photo's own where it can be, as without being asked.
    case original
    /// sRGB, IEC 61966-2-1.
    case sRGB = "srgb"
    /// Display P3: the primaries of SMPTE EG 432-1 with the curve of sRGB.
    case displayP3 = "p3"
    /// Adobe RGB (1998).
    case adobeRGB = "adobe-rgb"
    /// ProPhoto RGB: the primaries and the white of ISO 22028-2 with the exponent 1.8.
    case proPhoto = "prophoto"

    /// The profile's bytes; `nil` for the photo's own.
    var bytes: [UInt8]? {
      switch self {
      case .original: nil
      case .sRGB: StandardProfile.sRGB.bytes
      case .displayP3: StandardProfile.displayP3.bytes
      case .adobeRGB: Self.adobeRGBBytes
      case .proPhoto: Self.proPhotoBytes
      }
    }

    /// What codes in the profile mean; `nil` for the photo's own.
    var coding: PixelCoding? {
      switch bytes.flatMap({ ColorProfile($0)?.model }) {
      case .sRGB?: .sRGB
      case .matrix(let matrix)?: .matrix(matrix)
      default: nil
      }
    }

    /// Adobe RGB (1998) color image encoding, 2005-05, 4.3.
    private static let adobeRGBBytes = gammaProfile(
      "Compatible with Adobe RGB (1998)", 563 / 256, white: (0.3127, 0.3290),
      [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)])
    /// ISO 22028-2 (ROMM RGB), with the plain exponent that the profiles of cameras' raw converters have.
    private static let proPhotoBytes = gammaProfile(
      "Compatible with ProPhoto RGB", 1.8, white: (0.3457, 0.3585),
      [(0.7347, 0.2653), (0.1596, 0.8404), (0.0366, 0.0001)])

    private static func gammaProfile(
      _ name: String, _ gamma: Double, white: (x: Double, y: Double),
      _ primaries: [(x: Double, y: Double)]
    ) -> [UInt8] {
      var white = cmsCIExyY(x: white.x, y: white.y, Y: 1)
      let colors = primaries.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
      var triple = cmsCIExyYTRIPLE(Red: colors[0], Green: colors[1], Blue: colors[2])
      guard let curve = cmsBuildGamma(nil, gamma) else { return [] }
      defer { cmsFreeToneCurve(curve) }
      var curves: [OpaquePointer?] = [curve, curve, curve]
      guard let handle = cmsCreateRGBProfile(&white, &triple, &curves) else { return [] }
      defer { cmsCloseProfile(handle) }
      return StandardProfile.saved(handle, named: name)
    }
  }
}

extension PixelCoding {
  /// Whether a primary is hardly visible light, as in ProPhoto RGB: 8 bits then have steps that are seen.
  var hasImaginaryPrimaries: Bool {
    guard case .matrix(let profile) = self else { return false }
    let elements = profile.toSRGB.elements
    return (0..<3).contains { column in
      (0..<3).reduce(0) { $0 + Luma.weights[$1] * elements[3 * $1 + column] } < 0.02
    }
  }
}
