/// Makes the local contrast of mid-tones stronger, or softens it.
///
/// On sRGB-encoded values, with a = amount / 100, luma Y' (BT.709 weights) and the detail D:
///
///     x   = 4 c (1 − Y') D,   c = 1.2 a, or 0.8 a below 0,   1 − Y' limited to 0…1
///     out = in × (1 + x) where x ≥ 0, and in / (1 − x) elsewhere
///
/// so luma moves by 4 c Y' (1 − Y') times the detail: most in the middle, and not at all at black and
/// white. The detail is how far a place lies from the tones around it that are not beyond an edge,
/// by the local Laplacian filter of ``HighlightsShadows``:
///
///     D    = − mean over both Gaussians of φ(T − t)
///     φ(d) = sign(d) min(|d|, max(0.08 − 0.75 (|d| − 0.08), 0))
///
/// on the reduced picture T, with standard deviations of 1/200 and 1/60 of the longer side, on
/// squares of which at most 512 and 128 make up that side. t is T itself, blurred so that together
/// with its reduction it is the photo under a Gaussian of 0.9 pixels. D is interpolated by straight
/// lines between the middles of reduced pixels. So the finest structure stays as it is: noise does
/// not grow, and edges get no halos.
///
/// The formulas for the detail's effect are Safelight's own.
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
