/// Blurs the whole picture with a Gaussian.
///
/// On sRGB-encoded values, each channel alike. `radius` is the standard deviation σ in pixels of
/// the full-size photo; in a preview it shrinks with the picture. The Gaussian is cut off at 3.5 σ,
/// and beyond its edges the picture is mirrored.
///
/// The reduced picture of ``HighlightsShadows`` is smaller by a factor f. When σ is above 8 and at
/// least 2.5 f, the reduced picture is blurred and interpolated by straight lines. The means of f ×
/// f pixels and the straight lines blur too: with variances of (f² − 1) / 12 and, on average over
/// the f places between two middles, f² / 6 + 1 / 12, together f² / 4. So the reduced picture is
/// blurred with the variance (σ / f)² − 1/4, or σ² when f is 1.
public struct Blur: Adjustment {
  public static let id = "blur"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Blurs the whole picture."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.radius, "radius", range: 0...100, unit: .pixels, option: .named("blur"),
      summary: "How far the blur reaches: the standard deviation of a Gaussian.")
  ]

  /// The standard deviation in pixels of the full-size photo, 0 to 100.
  public var radius = 0.0

  /// Changes nothing.
  public init() {}
}
