/// Turns all hues around the color wheel by the same angle; tones keep their lightness.
///
/// On sRGB-encoded values, with the BT.709 luma Y': `A` turns colors by `amount` about the line of
/// grays, from red towards green, so that all its rows sum to 1. With c and s the cosine and sine
/// of the amount, a = c + (1 − c) / 3, b = (1 − c) / 3 − s / √3 and d = (1 − c) / 3 + s / √3, its
/// rows are (a, b, d), (d, a, b) and (b, d, a). The result is `A in + Y'(in) − Y'(A in)`, so that
/// luma is kept. Two turns add up, also when colors leave sRGB in between.
///
/// Source: P. Haeberli, "Matrix Operations for Image Processing", 1993, with the weights of
/// ITU-R BT.709-6 instead of his.
public struct Hue: Adjustment {
  public static let id = "hue"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Turns all hues around the color wheel and keeps their lightness."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -180...180, unit: .degrees,
      summary: "How far hues turn, from red towards yellow and green; negative towards magenta.")
  ]

  /// Degrees, 120 from red to green; 0 changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
