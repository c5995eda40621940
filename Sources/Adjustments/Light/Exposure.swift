/// Makes the picture brighter or darker, like a longer or shorter exposure.
///
/// On linear light: `out = in × 2^amount`, for red, green and blue, also below 0 and above 1. A
/// stop is a factor of two in light, as ISO 2720 counts exposure values. Light above 1 is kept, so
/// a later adjustment can recover highlights; light above 1 at the end becomes white.
public struct Exposure: Adjustment {
  public static let id = "exposure"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Makes the picture brighter or darker by stops of light."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -5...5, unit: .stops,
      summary: "How many times the light doubles; below 0 it halves.")
  ]

  /// Stops of light: 0 changes nothing, 1 doubles the light, -1 halves it.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
