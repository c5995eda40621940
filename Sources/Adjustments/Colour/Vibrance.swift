/// Makes weak colours stronger, strong ones less so, and skin hardly at all.
///
/// On sRGB-encoded values, with the BT.709 luma Y' and chroma c = max − min of the channels,
/// limited to 0…1: `out = Y' + (1 + amount × (1 − c)² × (1 − skin)) × (in − Y')`. Skin is how near
/// the hue is to 25°, from 1 there to 0 at 25° to either side, halved; it counts only when colours
/// get stronger. Shape and constants are Safelight's own, tuned on portraits.
public struct Vibrance: Adjustment {
  public static let id = "vibrance"
  public static let version = 1
  public static let group = AdjustmentGroup.colour
  public static let summary = "Makes weak colours stronger and spares strong ones and skin."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -1...1, unit: .share,
      "How much stronger weak colours get; -1 takes them away.")
  ]

  /// -1 takes weak colours away, 0 changes nothing, 1 doubles them.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
