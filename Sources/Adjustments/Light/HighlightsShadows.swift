/// Brings back bright parts of the picture and opens dark ones, each as a whole, so that what is in
/// them keeps its contrast.
///
/// A pixel is multiplied with a gain that depends on how bright its surroundings are. On
/// sRGB-encoded values, with s = shadows / 100, h = highlights / 100 and the base b of the pixel,
/// limited to 0…1:
///
///     dark   = max(1 − b / 0.6, 0)              bright = max((b − 0.4) / 0.6, 0)
///     gain   = 1 + S dark³ + H bright² (3.2 − 2.6 bright)
///     S      = 3 s,   or 0.7 s below 0          H      = 1.5 h, or 0.3 h below 0
///     out    = in × gain / (1 + max(gain − 1, 0) × top)
///
/// where top is the largest channel of the pixel, limited to 0…1: what is made brighter rolls off
/// towards 1 and never clips. All channels are multiplied alike, so hue and HSV saturation stay;
/// black stays black, mid-gray (0.46) moves by less than three codes of 255 with either, and tones
/// keep their order at every setting. The gain is Safelight's own.
///
/// The base is an edge-preserving mean of luma Y' (BT.709 weights), so that there are no halos: the
/// guided filter (He, Sun and Tang, IEEE TPAMI 35, 2013) with itself as the guide and ε = 0.1. It
/// is computed on the reduced picture (He and Sun, "Fast Guided Filter", 2015), which has the means
/// of f × f pixels, f being the smallest power of two that leaves at most 1024 on the longer side;
/// its radius is 1/40 of that side, rounded to whole reduced pixels, at least 1, and its means
/// reach as far as the picture does. Then `base = a × Y' + c`, with a and c from there, interpolated
/// by straight lines between the middles of the squares, and Y' of the pixel itself.
public struct HighlightsShadows: Adjustment {
  public static let id = "highlights-shadows"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Brings back bright parts and opens dark ones, without halos."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.highlights, "highlights", range: -100...100, unit: .percent, option: .named("highlights"),
      "How much brighter bright parts get; below 0 they get their colors back."),
    Parameter(
      \.shadows, "shadows", range: -100...100, unit: .percent, option: .named("shadows"),
      "How much brighter dark parts get."),
  ]

  /// How much brighter bright parts get, -100 to 100.
  public var highlights = 0.0
  /// How much brighter dark parts get, -100 to 100.
  public var shadows = 0.0

  /// Changes nothing.
  public init() {}
}
