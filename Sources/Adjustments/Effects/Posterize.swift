/// Leaves only a few tones in each channel.
///
/// On sRGB-encoded values x, each channel alike, with n levels: `out = round(x (n − 1)) / (n − 1)`,
/// the nearest of n tones evenly spaced from 0 to 1, as in GIMP. Of two equally near tones it is
/// the even one, counted from black. Below 0 and above 1 the tones continue with the same spacing.
/// 256 levels are all that 8 bits have; they switch the adjustment off at any depth of the picture.
public struct Posterize: Adjustment {
  public static let id = "posterize"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Leaves only a few tones in each channel."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.levels, "levels", range: 2...256, option: .named("posterize"),
      summary: "How many tones each channel keeps; 256 changes nothing.")
  ]

  /// Tones in each channel; 256 changes nothing.
  public var levels = 256

  /// Changes nothing.
  public init() {}
}
