/// Makes a negative.
///
/// On sRGB-encoded values x, each channel alike, with a = amount / 100:
/// `out = x + a (1 − 2 x)`, also below 0 and above 1; at 50 everything is mid-gray. Source: the
/// `invert()` of the W3C's Filter Effects Module Level 1.
public struct Invert: Adjustment {
  public static let id = "invert"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Makes a negative."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent,
      summary: "How far the picture becomes a negative; 100 is all of it.")
  ]

  /// 0 changes nothing, 50 is mid-gray everywhere, 100 is the negative.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
