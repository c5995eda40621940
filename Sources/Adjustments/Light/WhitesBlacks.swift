/// Moves the bright end and the dark end of the tones and leaves the middle.
///
/// On sRGB-encoded values x, each channel alike, with w = whites / 100 and b = blacks / 100:
/// `out = x + 0.18 w x⁴ + 0.15 b (1 − x)⁴`. At 100 the whites clip from 0.89 on, at -100 they end
/// at 0.82; at -100 the blacks clip below 0.1, at 100 they begin at 0.15. Neither moves mid-gray by
/// more than 0.011, and tones keep their order at every setting. Beyond 0 and 1 the curve continues
/// straight with its slope there. The formula is Safelight's own, modeled on the sliders of
/// these names in raw converters.
public struct WhitesBlacks: Adjustment {
  public static let id = "whites-blacks"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Moves the bright and the dark end of the tones."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.whites, "whites", range: -100...100, unit: .percent, option: .named("whites"),
      summary: "How much brighter the brightest tones get."),
    Parameter(
      \.blacks, "blacks", range: -100...100, unit: .percent, option: .named("blacks"),
      summary: "How much brighter the darkest tones get; below 0 they sink into black."),
  ]

  /// How much brighter the brightest tones get, -100 to 100.
  public var whites = 0.0
  /// How much brighter the darkest tones get, -100 to 100.
  public var blacks = 0.0

  /// Changes nothing.
  public init() {}
}
