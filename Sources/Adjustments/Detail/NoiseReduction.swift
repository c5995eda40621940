/// Smooths the grain of brightness and the blotches of colour that a sensor makes, and keeps edges.
///
/// On sRGB-encoded values, with luma Y' (BT.709 weights) and the colour differences R − Y' and
/// B − Y', each through a guided filter with itself as the guide (He, Sun and Tang, "Guided Image
/// Filtering", IEEE TPAMI 35, 2013): with means E over a square window,
///
///     a = v / (v + ε²),  v = max(E(p²) − E(p)², 0),  c = E(p) (1 − a),  out = E(a) p + E(c)
///
/// For luma the window reaches 4 pixels of the full-size photo to each side, for colour 8; ε is
/// luminance / 100 × 0.07 × (1 − 0.8 × detail / 100) for luma and colour / 100 × 0.12 for colour.
/// Reaches shrink with a preview; their outermost pixels count by the fraction that is covered,
/// and below 0.3 nothing is done. Beyond its edges the picture is mirrored. With `luminance` or
/// `colour` 0 that part stays as it is.
public struct NoiseReduction: Adjustment {
  public static let id = "noise-reduction"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Smooths noise of brightness and colour, and keeps edges."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.luminance, "luminance", range: 0...100, unit: .percent,
      "How strong the noise of brightness is that goes."),
    Parameter(
      \.colour, "colour", range: 0...100, unit: .percent,
      "How strong the noise of colour is that goes."),
    Parameter(
      \.detail, "detail", range: 0...100, unit: .percent,
      "How much fine detail of brightness is spared."),
  ]

  /// How strong the noise of brightness is that goes, 0 to 100.
  public var luminance = 0.0
  /// How strong the noise of colour is that goes, 0 to 100.
  public var colour = 0.0
  /// How much fine detail of brightness is spared, 0 to 100.
  public var detail = 50.0

  /// Changes nothing.
  public init() {}

  /// Whether neither brightness nor colour is smoothed.
  public var isNeutral: Bool { luminance == 0 && colour == 0 }
}
