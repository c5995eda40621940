/// Moves tones away from mid-gray, or towards it; black, mid-gray and white stay.
///
/// On sRGB-encoded values x, each channel alike. Above 0 the curve is a piece of the logistic
/// function, stretched so that 0, ½ and 1 stay, with β = 6 √(amount / 100): `out = ½ + tanh(β (x −
/// ½) / 2) / (2 tanh(β / 4))` (G. J. Braun and M. D. Fairchild, "Image lightness rescaling using
/// sigmoidal contrast enhancement functions", Journal of Electronic Imaging 8, 1999). Below 0 the
/// inverse curve would be three times as steep at the ends and separate the channels of a bright
/// sky, so a cubic is used: `out = x + 0.8 × (-amount / 100) × x (1 − x) (1 − 2 x)`. The slope at
/// mid-gray is 1.66 at 100 and 0.6 at -100; no tone clips, and all tones keep their order. Beyond 0
/// and 1 the curve continues straight with its slope there.
public struct Contrast: Adjustment {
  public static let id = "contrast"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Moves tones away from mid-gray, or towards it."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How far tones move away from mid-gray; below 0 they move towards it.")
  ]

  /// -100 to 100; 0 changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
