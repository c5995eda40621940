/// What a picture's profile means for the screen.
package enum DisplayProfile {
  /// Whether codes of an ICC profile are those of sRGB.
  package static func isSRGB(_ profile: [UInt8]) -> Bool {
    if case .sRGB? = ColorProfile(profile)?.model { true } else { false }
  }
}
