/// Bends the tones by a power law, as the gamma of GIMP's levels and of ImageMagick does.
///
/// On sRGB-encoded values x, each channel alike: `out = x^(1 / amount)`, so numbers above 1
/// brighten. A factor of 2 has the same effect everywhere on the scale: 0.5 undoes 2. Below 0 the
/// curve is mirrored, `-(-x)^(1 / amount)`; above 1 it continues straight with its slope there, 1 /
/// amount.
public struct Gamma: Adjustment {
  public static let id = "gamma"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Bends the tones by a power law."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0.1...10,
      summary: "The exponent's inverse; 1 changes nothing, more brightens.")
  ]

  /// 1 changes nothing, more brightens, less darkens.
  public var amount = 1.0

  /// Changes nothing.
  public init() {}
}
