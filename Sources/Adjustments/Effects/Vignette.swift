/// Darkens or brightens towards the corners of the cropped picture.
///
/// On linear light: `out = in × (1 + 0.75 a w)²` with a = amount / 100, so hue and saturation stay.
/// At -100 the corners have a sixteenth of the light, four stops less; at 100 three times as much.
/// w depends on the place alone and is the same at every size of the picture.
///
/// For the center of a pixel, with u and v from -1 to 1 across the width W and the height H, the
/// distance q is 0 in the middle and 1 in the corners. With ρ = roundness / 100:
/// - ρ ≥ 0: `q = k u² + (1 − k) v²` with `k = (1 − ρ) / 2 + ρ W² / (W² + H²)`: from an ellipse of
///   the picture's shape to a circle.
/// - ρ < 0: `q = (1 + ρ) (u² + v²) / 2 − ρ ((u⁸ + v⁸) / 2)^¼`: from the ellipse to a rectangle with
///   round corners.
///
/// With m = midpoint / 100 and f = feather / 100, the effect begins at `q₀ = (0.1 + 0.8 m)(1 − f)`
/// and is complete at `q₁ = 0.11 + 0.8 m + f`. Between, `t = (q − q₀) / (q₁ − q₀)`, limited to 0…1,
/// and `w = t³ (6 t² − 15 t + 10)` (K. Perlin, "Improving Noise", SIGGRAPH 2002), which has no edge
/// at either end. Shape and constants are Safelight's own.
public struct Vignette: Adjustment {
  public static let id = "vignette"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Darkens or brightens the picture towards its corners."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much brighter the corners get; below 0 they darken."),
    Parameter(
      \.midpoint, "midpoint", range: 0...100, unit: .percent,
      summary: "How far from the middle the change lies; 100 is only the corners."),
    Parameter(
      \.roundness, "roundness", range: -100...100, unit: .percent,
      summary: "The shape: 0 follows the picture, 100 is a circle, -100 nearly a rectangle."),
    Parameter(
      \.feather, "feather", range: 0...100, unit: .percent,
      summary: "How soft the change is; 0 is an edge."),
  ]

  /// How much brighter the corners get, -100 to 100; 0 changes nothing.
  public var amount = 0.0
  /// How far from the middle the change lies, 0 to 100.
  public var midpoint = 50.0
  /// The shape, from -100, nearly a rectangle, to 100, a circle.
  public var roundness = 0.0
  /// How soft the change is, 0 to 100.
  public var feather = 50.0

  /// Changes nothing.
  public init() {}
}
