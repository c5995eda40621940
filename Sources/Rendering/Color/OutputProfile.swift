import SafelightAdjustments

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
      case .adobeRGB: StandardProfile.adobeRGB.bytes
      case .proPhoto: StandardProfile.proPhoto.bytes
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
