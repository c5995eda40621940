/// Takes away as much of the brightness and color noise of a sensor as the photo has, and keeps
/// edges.
///
/// On sRGB-encoded values, with a brightness Y and two color differences, which do not change with
/// gray:
///
///     Y = (R + G + B) / 3,   U = (R − B) / 2,   V = (R − 2 G + B) / 4
///
/// Each goes through an undecimated Haar wavelet of four levels. A level has a square of four
/// numbers at every place, 1, 2, 4 or 8 pixels apart; its mean m goes on to the next level, and its
/// three differences d (down, across, crosswise) are multiplied by
///
///     g = max(E − N, 0) / E
///
/// E is the sum of d² in 3 × 3 places, for Y separately for each kind of difference, for U and V
/// together for all six. N is what noise alone adds to that sum, times a strength. Each number is
/// then the mean of what its four squares say about it. Such a share is the Wiener filter with a
/// variance measured around each place (Mihçak, Kozintsev, Ramchandran, Moulin, "Low-complexity
/// image denoising based on statistical modeling of wavelet coefficients", IEEE SPL 6, 1999); that
/// undecimated wavelets denoise better is from Coifman and Donoho, "Translation-invariant
/// de-noising", 1995. Beyond its edges the picture is mirrored.
///
/// The noise is measured in the photo, by level and brightness, so that a clean photo hardly
/// changes; 50 takes the noise that is there. The strength for Y is 1.4 × luminance / 50 up to 50.
/// From 50 to 100 it rises evenly to 2.2 and no further, because more takes fine textures away. For U
/// and V it is 2.2 × color / 100. `detail` divides the strength for Y on the three finest levels by
/// 2^(1.5 t), 2^t and 2^(0.5 t), where t = (detail − 50) / 50, or 0.3 of that when detail is below
/// 50. In a preview the levels that its size has already averaged away are left out. With
/// `luminance` or `color` 0, Y or U and V do not change.
public struct NoiseReduction: Adjustment {
  public static let id = "noise-reduction"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Takes noise of brightness and color away, and keeps edges."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.luminance, "luminance", range: 0...100, unit: .percent,
      summary: "How much brightness noise is removed; 50 suits what is in the photo."),
    Parameter(
      \.color, "color", range: 0...100, unit: .percent,
      summary: "How much color noise is removed; 50 suits what is in the photo."),
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
