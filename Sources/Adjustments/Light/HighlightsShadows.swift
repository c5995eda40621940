/// Recovers bright parts of the picture and opens dark parts. Each part changes as a whole, so that
/// its details keep their contrast.
///
/// Each pixel is multiplied by a gain that depends on the brightness around it. On
/// sRGB-encoded values, with s = shadows / 100, h = highlights / 100 and the base b of the pixel,
/// limited to 0…1:
///
///     dark   = max(1 − b / 0.6, 0)              bright = max((b − 0.4) / 0.6, 0)
///     gain   = 1 + S dark³ + H bright² (3.2 − 2.6 bright)
///     S      = 3 s,   or 0.7 s below 0          H      = 1.5 h, or 0.3 h (1 − white⁸) below 0
///     out    = in × gain / (1 + max(gain − 1, 0) × top)
///
/// where top and white are the largest and the smallest channel of the pixel, limited to 0…1:
/// brightened pixels approach 1 and never clip, and what is blown white stays white. All channels are multiplied alike, so hue and HSV saturation stay. Black stays
/// black, each of the two moves mid-gray (0.46) by less than three codes of 255, and tones keep
/// their order at every setting. The gain is Safelight's own.
///
/// Version 1 had no term for white, so that negative highlights made white gray. Edits that were
/// stored with it render as they did.
///
/// The base is an edge-preserving mean of luma Y' (BT.709 weights), so that there are no halos: the
/// guided filter (He, Sun and Tang, IEEE TPAMI 35, 2013) with luma as its own guide and ε = 0.1.
/// The filter works on the reduced picture (He and Sun, "Fast Guided Filter", 2015), whose pixels
/// are the means of f × f pixels; f is the smallest power of two that leaves at most 1024 pixels on
/// the longer side. The radius is 1/40 of that side, rounded to whole reduced pixels, at least 1.
/// At the edges, means are over the pixels inside the picture. Then `base = a × Y' + c`: a and c
/// are interpolated by straight lines between the middles of the squares, and Y' is that of the
/// pixel itself.
public struct HighlightsShadows: Adjustment {
  public static let id = "highlights-shadows"
  public static let version = 2
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
