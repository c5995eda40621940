/// Makes weak colors much stronger, strong colors less, and skin hardly at all.
///
/// As ``Saturation`` in OKLab, with a k for each color: with the chroma C = √(a² + b²) and c = min(4 C, 1),
/// `k = 1 + amount / 100 × (1 − c)² × (1 − skin) × (1 − snow)`. Skin falls from ½ at the hue 57° of OKLab to 0 at 38° to either side; it
/// counts only when colors get stronger, as does snow: nearly gray (C from 0.012 to 0.052) and bright (L of OKLab from 0.72
/// to 0.87), it keeps its trace of blue as it is. Shape and constants are Safelight's own, tuned on portraits.
public struct Vibrance: Adjustment {
  public static let id = "vibrance"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Makes weak colors stronger and spares strong ones and skin."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much stronger weak colors get; -100 removes them.")
  ]

  /// -100 removes weak colors, 0 changes nothing, 100 doubles them.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
