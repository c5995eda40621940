/// Makes the mid-tones brighter or darker; black stays black and white stays white.
///
/// On sRGB-encoded values x, each channel alike, with s = 3^(amount / 100): `out = s x / (1 + (s −
/// 1) x)`, which multiplies x / (1 − x) by s. Mid-gray 0.5 becomes 0.75 at 100 and 0.25 at -100.
/// Amounts add up, so -a undoes a. Beyond 0 and 1 the curve continues straight with its slope
/// there, s and 1 / s. Source of the curve: C. Schlick, "Fast Alternatives to Perlin's Bias and
/// Gain Functions", Graphics Gems IV (1994), whose bias b is s / (1 + s).
public struct Brightness: Adjustment {
  public static let id = "brightness"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Makes the mid-tones brighter or darker; black and white stay."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much brighter the mid-tones get.")
  ]

  /// -100 to 100; 0 changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
