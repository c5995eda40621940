/// Gives shadows, mid-tones and highlights colors of their own, and makes them lighter or darker.
///
/// On sRGB-encoded values, with the BT.709 luma Y' limited to y in 0…1. The border between shadows
/// and highlights lies at p = 0.5 − 0.3 × balance / 100, borders are 2r wide with
/// r = 0.2 + 0.3 × blending / 100, and with S(e) = 3x² − 2x³, x = (y − e + r) / 2r limited to 0…1:
///
///     shadows = 1 − S(0.6 p), highlights = S(1 − 0.6 (1 − p)), midtones = the rest
///
/// The weights are never negative and sum to 1. A hue h has the color t(h) of ``BlackAndWhite``;
/// each range adds `weight × (0.3 × saturation / 100 × (t(h) − Y'(t(h))) × (1 − (2y − 1)⁴)
/// + 0.2 × luminance / 100 × 4 y (1 − y))` to the pixel, and `global` the same with the weight 1.
///
/// So colors keep luma, as in three-way graders, and black and white stay.
/// The constants are Safelight's own.
public struct ColorGrading: Adjustment {
  public static let id = "color-grading"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Tints shadows, mid-tones and highlights, each in its own color."
  public static let parameters: [Parameter<Self>] =
    tint(
      "shadows", of: "the shadows", hue: \.shadows.hue, saturation: \.shadows.saturation,
      luminance: \.shadows.luminance)
    + tint(
      "midtones", of: "the mid-tones", hue: \.midtones.hue, saturation: \.midtones.saturation,
      luminance: \.midtones.luminance)
    + tint(
      "highlights", of: "the highlights", hue: \.highlights.hue,
      saturation: \.highlights.saturation, luminance: \.highlights.luminance)
    + tint(
      "global", of: "all tones", hue: \.global.hue, saturation: \.global.saturation,
      luminance: \.global.luminance)
    + [
      Parameter(
        \.balance, "balance", range: -100...100, unit: .percent,
        summary: "How many tones count as highlights: more above 0, fewer below 0."),
      Parameter(
        \.blending, "blending", range: 0...100, unit: .percent,
        summary: "How far shadows, mid-tones and highlights reach into each other."),
    ]

  /// A color laid over a range of tones.
  public struct Tint: Sendable, Hashable {
    /// Which color, in degrees: 0 red, 60 yellow, 120 green, 180 aqua, 240 blue, 300 magenta.
    public var hue = 0.0
    /// How strong the color is; 0 is none, 100 the strongest.
    public var saturation = 0.0
    /// Lighter up to 100, or darker down to -100; 0 changes nothing.
    public var luminance = 0.0

    /// No color, and as light as before.
    public init() {}
  }

  /// What dark tones get.
  public var shadows = Tint()
  /// What the tones between get.
  public var midtones = Tint()
  /// What light tones get.
  public var highlights = Tint()
  /// What all tones get in addition.
  public var global = Tint()
  /// Where highlights begin: at darker tones above 0, at lighter tones below 0; -100 to 100.
  public var balance = 0.0
  /// How far the three ranges overlap, 0 to 100.
  public var blending = 50.0

  /// No color anywhere, which changes nothing.
  public init() {}

  private typealias Path = any WritableKeyPath<Self, Double> & Sendable

  private static func tint(
    _ name: String, of words: String, hue: Path, saturation: Path, luminance: Path
  ) -> [Parameter<Self>] {
    [
      Parameter(
        hue, name + "Hue", range: 0...360, unit: .degrees,
        summary: "The hue that \(words) get: 0 red, 120 green, 240 blue."),
      Parameter(
        saturation, name + "Saturation", range: 0...100, unit: .percent,
        summary: "How strong the color of \(words) is."),
      Parameter(
        luminance, name + "Luminance", range: -100...100, unit: .percent,
        summary: "Makes \(words) lighter; negative darker."),
    ]
  }
}
