/// Makes the local contrast of mid-tones stronger, or softens it.
///
/// On sRGB-encoded values, with a = amount / 100, luma Y' (BT.709 weights) and its base b:
///
///     x   = 4 c (1 − Y') (Y' − b),   c = 1.2 a, or 0.8 a below 0,   1 − Y' limited to 0…1
///     out = in × (1 + x) where x ≥ 0, and in / (1 − x) elsewhere
///
/// so luma moves by 4 c Y' (1 − Y') times its distance from the base: most in the middle, and not
/// at all at black and white. The base is that of ``HighlightsShadows``, with a radius of 1/60 and
/// ε = 0.15. The formula is Safelight's own.
public struct Clarity: Adjustment {
  public static let id = "clarity"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Makes the local contrast of mid-tones stronger, or softens it."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much stronger local contrast gets; below 0 it gets softer.")
  ]

  /// How much stronger local contrast gets, -100 to 100.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
