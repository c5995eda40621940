/// Takes away as much of the brightness and color noise of a sensor as the photo has, and keeps
/// edges.
///
/// On sRGB-encoded values, with a brightness Y and two color differences, which do not change with
/// gray:
///
///     Y = (R + G + B) / 3,   U = (R − B) / 2,   V = (R − 2 G + B) / 4
///
/// Each goes through a Haar wavelet of four levels. A level has a square of four numbers at every place, 1, 2, 4 or 8
/// pixels apart; in the third level the places are every second row and column of the picture, in the fourth every
/// fourth one, and what these two take away lies on straight lines between them. The mean m of a square goes on to the
/// next level, and its three differences d (down, across, crosswise) are multiplied by
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
/// The result is only a pilot. Squares of 8 × 8 numbers, which begin at every fourth column and row of the picture, go
/// through a cosine transform. Each wave w of the plane is multiplied by
///
///     p² / (p² + n)
///
/// where p is the same wave of the pilot and n the energy of noise in it. The mean of a square is the pilot's for U and V,
/// and for Y half of it. The squares are added up with the weights of Kaiser's window of shape 2. That is Wiener's filter with a pilot, as in the
/// second steps of BM3D (Dabov, Foi, Katkovnik and Egiazarian, "Image denoising by sparse 3-D transform-domain
/// collaborative filtering", IEEE TIP 16, 2007) and of Pierazzo, Morel and Facciolo, "Multi-scale DCT denoising",
/// IPOL 7, 2017. n is that of white noise with a level's energy at the level's own frequency, 0.7 of half a period
/// in a pixel for the finest and half of that for each further one, and on a straight line between two levels.
///
/// The noise is measured in the photo, by level and brightness, so that a clean photo hardly
/// changes; 50 takes the noise that is there. The strength is 2 × amount / 50 up to 50, and from there
/// to 100 it rises evenly to 3. U and V have three quarters of it in the wavelets. Wiener's filter has half of
/// it. `detail` divides the strength for Y on the three finest levels by
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
