/// Smooths the brightness noise and the color noise of a sensor, and keeps edges.
///
/// On sRGB-encoded values, with luma Y' (BT.709 weights) and the color differences R − Y' and
/// B − Y', each through a guided filter with itself as the guide (He, Sun and Tang, "Guided Image
/// Filtering", IEEE TPAMI 35, 2013): with means E over a square window,
///
///     a = v / (v + ε²),  v = max(E(p²) − E(p)², 0),  c = E(p) (1 − a),  out = E(a) p + E(c)
///
/// For luma the window reaches 4 pixels of the full-size photo to each side, for color 8; ε is
/// luminance / 100 × 0.07 × (1 − 0.8 × detail / 100) for luma and color / 100 × 0.12 for color. In
/// a preview both reaches shrink with the picture; the outermost pixels of a window count by the
/// fraction that the window covers, and a reach below 0.3 does nothing. Beyond its edges the
/// picture is mirrored. With `luminance` or `color` 0, that part does not change.
public struct NoiseReduction: Adjustment {
  public static let id = "noise-reduction"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Smooths noise of brightness and color, and keeps edges."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.luminance, "luminance", range: 0...100, unit: .percent,
      summary: "The strength of the brightness noise that is removed."),
    Parameter(
      \.color, "color", range: 0...100, unit: .percent,
      summary: "The strength of the color noise that is removed."),
    Parameter(
      \.detail, "detail", range: 0...100, unit: .percent,
      summary: "How much fine detail of brightness is kept."),
  ]

  /// The strength of the brightness noise that is removed, 0 to 100.
  public var luminance = 0.0
  /// The strength of the color noise that is removed, 0 to 100.
  public var color = 0.0
  /// How much fine detail of brightness is kept, 0 to 100.
  public var detail = 50.0

  /// Changes nothing.
  public init() {}

  /// Whether neither brightness nor color is smoothed.
  public var isNeutral: Bool { luminance == 0 && color == 0 }
}
