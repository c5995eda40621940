/// Recovers bright parts of the picture and opens dark parts. Each part changes as a whole, so that
/// its details keep their contrast.
///
/// Each pixel is multiplied by a gain that depends on the brightness around it. On
/// sRGB-encoded values, with s = shadows / 100, h = highlights / 100 and the base b of the pixel,
/// limited to 0…1:
///
///     dark   = max(1 − b / 0.6, 0)              bright = max((b − 0.4) / 0.6, 0)
///     gain   = 1 + S dark³ + H bright² (3.2 − 2.6 bright)
///     S      = 3 s,   or 0.7 s below 0          H      = 1.5 h, or 0.45 h (1 − Y'²) below 0
///     out    = in × gain / (1 + max(gain − 1, 0) × top)
///
/// where Y' is the luma (BT.709 weights) and top the largest channel of the pixel, limited to 0…1:
/// brightened pixels approach 1 and never clip, and what is blown white stays white. A glow around a blown sun keeps
/// the tones of one curve of luma, which nowhere rises more than 1.6 times as steeply as before. So the sun gets no hard
/// edge, whichever of its channels are blown where. All channels are multiplied alike, so hue and HSV saturation
/// stay. Black stays black, each of the two moves mid-gray (0.46) by less than three codes of 255, and tones keep
/// their order at every setting. The gain is Safelight's own.
///
/// In nearly black parts what color there is, is mostly noise and the sensor's own black, and opening them would show it:
/// black clothes become violet. So with shadows above 0 weak colors fade there at the same luma, by a part of
///
///     (1 − 1 / (1 + S dark³)²) (1 − step(b / 0.2)) (1 − step((top − bottom − 0.05) / 0.1))
///
/// with step(x) = 3x² − 2x³, x limited to 0…1, and bottom the smallest channel. On dark parts of photos chroma in CIELAB
/// then grows to about 1.3 times what it was with shadows at 50, in place of 2.7 times; colors of 0.15 and more, such as
/// leaves and skin in the shade, keep all of it.
///
/// The base draws the pixel's luma Y' towards the tones around it, and not across
/// edges, so that there are no halos:
///
///     b    = Y' + Gaussian of φ(T − Y')
///     φ(d) = sign(d) min(|d|, max(0.1 − (|d| − 0.1) / 3, 0))
///
/// where T is the luma of the pixels around it. Differences up to 0.1 are details, which keep their
/// contrast; at 0.4 and beyond lies something else, which does not count. So a twig before a bright
/// sky opens as a large shadow does. This is the fast local Laplacian filter with two levels (Paris,
/// Hasinoff and Kautz, "Local Laplacian Filters", ACM TOG 30, 2011; Aubry et al., "Fast Local
/// Laplacian Filters", ACM TOG 33, 2014). φ falls by a third at most, so that tones keep their
/// order in every surrounding.
///
/// T is the reduced picture, whose pixels are the means of f × f pixels; f is the smallest power of
/// two that leaves at most 1024 pixels on the longer side. The Gaussian has a standard deviation of
/// 1/40 of that side; beyond the edges the picture is mirrored. It is computed for sixteen tones from
/// 0 to 1, on the means of squares of which at most 128 make up the longer side, and interpolated by
/// straight lines between the middles of the squares and between the tones.
public struct HighlightsShadows: Adjustment {
  public static let id = "highlights-shadows"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Recovers bright parts and opens dark parts, without halos."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.highlights, "highlights", range: -100...100, unit: .percent, option: .named("highlights"),
      summary: "How much brighter bright parts get; below 0 they get their colors back."),
    Parameter(
      \.shadows, "shadows", range: -100...100, unit: .percent, option: .named("shadows"),
      summary: "How much brighter dark parts get."),
  ]

  /// How much brighter bright parts get, -100 to 100.
  public var highlights = 0.0
  /// How much brighter dark parts get, -100 to 100.
  public var shadows = 0.0

  /// Changes nothing.
  public init() {}
}
