/// Drives tones apart around mid-gray, or draws them together; black, mid-gray and white stay.
///
/// On sRGB-encoded values x, each channel alike. Above 0 the curve is a piece of the logistic
/// function, stretched so that 0, ½ and 1 stay, with β = 6 √(amount / 100):
/// `out = ½ + tanh(β (x − ½) / 2) / (2 tanh(β / 4))` (G. J. Braun and M. D. Fairchild, "Image
/// lightness rescaling using sigmoidal contrast enhancement functions", Journal of Electronic
/// Imaging 8, 1999). Below 0 its inverse would make the ends three times as steep and pull the
/// channels of a bright sky apart; a cubic is gentler: `out = x + 0.8 × (-amount / 100) × x (1 − x)
/// (1 − 2 x)`. The slope at mid-gray is 1.66 at 100 and 0.6 at -100; no tone clips and all keep
/// their order. Beyond 0 and 1 the curve goes on straight with the slope it has there.
public struct Contrast: Adjustment {
  public static let id = "contrast"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Drives tones apart around mid-gray, or draws them together."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      "How much further tones are from mid-gray; below 0 they come nearer.")
  ]

  /// -100 to 100; 0 changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
