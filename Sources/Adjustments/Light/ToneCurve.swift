/// Maps tones through smooth curves: one for all channels, then one for each.
///
/// Curves act on sRGB-encoded values. Between the points they follow a monotone cubic
/// (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980), so tones never overshoot or change
/// their order between rising points; outside 0 to 1 they go on in a straight line.
public struct ToneCurve: Adjustment {
  public static let id = "tone-curve"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Maps tones through smooth curves."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.all, "all", option: .named("tone-curve"),
      "The curve for red, green and blue alike, applied first."),
    Parameter(\.red, "red", "The curve for red."),
    Parameter(\.green, "green", "The curve for green."),
    Parameter(\.blue, "blue", "The curve for blue."),
  ]

  /// The curve for red, green and blue alike, applied first.
  public var all = Curve()
  /// The curve for red.
  public var red = Curve()
  /// The curve for green.
  public var green = Curve()
  /// The curve for blue.
  public var blue = Curve()

  /// Four straight lines, which change nothing.
  public init() {}
}
