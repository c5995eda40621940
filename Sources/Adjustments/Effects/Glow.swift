/// Makes bright parts shine over their surroundings, like a diffusing filter before the lens.
///
/// On sRGB-encoded values. On the reduced picture of ``HighlightsShadows`` each pixel, its channels
/// limited to 0…1, is multiplied by w = s² (3 − 2 s), s = (Y' − t) / (1 − t) limited to 0…1, where
/// Y' is its luma (BT.709 weights) and t = threshold / 100. The products are blurred by a Gaussian;
/// beyond its edges the reduced picture is mirrored. The result is the light. It is interpolated by
/// straight lines between the middles of the reduced pixels and screened over the picture: `out =
/// in + amount / 100 × light × max(1 − in, 0)`.
///
/// The Gaussian's standard deviation σ is `radius` hundredths of the longer side; as for ``Blur``,
/// the variance in reduced pixels is (σ / f)² − 1/4, but not below 0, or σ² where f is 1.
public struct Glow: Adjustment {
  public static let id = "glow"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Makes bright parts shine over their surroundings."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent, summary: "How strong the light is."),
    Parameter(
      \.radius, "radius", range: 0.1...10, unit: .percent,
      summary: "How far the light reaches, in hundredths of the longer side."),
    Parameter(
      \.threshold, "threshold", range: 0...95, unit: .percent,
      summary: "How bright a part must be to shine."),
  ]

  /// How strong the light is, 0 to 100.
  public var amount = 0.0
  /// How far the light reaches, in hundredths of the longer side, 0.1 to 10.
  public var radius = 2.0
  /// How bright a part must be to shine, 0 to 95.
  public var threshold = 50.0

  /// Changes nothing.
  public init() {}

  /// Whether the amount is 0.
  public var isNeutral: Bool { amount == 0 }
}
