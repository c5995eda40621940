/// Changes the hue, saturation and luminance of eight bands of hues, each separately.
///
/// In OKLab, from linear light: by lightness L, chroma C = √(a² + b²) and hue. The bands have their
/// middles at 30° (red), 60° (orange), 105° (yellow), 135° (green), 195° (aqua), 255° (blue), 300°
/// (purple) and 345° (magenta). At a share t of the way between two middles, the
/// later band has the weight 3t² − 2t³ and the earlier band the rest, so weights sum to 1
/// everywhere. The weighted settings, as shares of 1, give the saturation s, the luminance l and
/// the movement of the hue. The movement for one band is its hue setting, as a share of 1, times
/// 0.6 of the distance to the middle of the next band when the setting is positive, and of the
/// previous band when it is negative. Hues keep their order while one band moves.
///
/// With c = min(4 C, 1),
///
///     k = 1 + s (1 − c) for s > 0, and 1 + s otherwise
///     d = 1 + 0.8 l c for l < 0, and 1 otherwise
///     b = l c (2 − c) max(L (1 − L), 0) for l > 0, and 0 otherwise
///
/// the lightness becomes d L + b and the chroma d k C, at the moved hue. So hue and saturation keep
/// lightness as it is seen, and gray does not change. A color that would leave sRGB gets less chroma or
/// less light, as with ``Saturation``, whose k is here max(k, 1) × (1 + |φ| / 4) for a movement of the hue by φ radians.
///
/// Band and c are those of a calm color where settings are strong, so that noise, blocks and bled edges of a JPEG's chroma
/// do not become brightness. Let m be the strongest setting and x = (m − 20) / 20, limited to 0…1. Then they are found for
/// a and b moved by σ = 3x² − 2x³ of the way to the calm ones: those of a guided filter (He, Sun and Tang, IEEE TPAMI 35,
/// 2013) of the colors (L, a, b) by themselves, whose windows are squares of cells. Cells are means of the smallest power of
/// two of pixels of the reduced picture of ``HighlightsShadows`` with which there are at most 256 along the longer side. A
/// window reaches 1/64 of the longer side to either side, rounded to whole cells, at least 2, and its results are averaged
/// over one cell less. ε is twice the variance of chroma (of a and of b together) that a fifth of the windows do not exceed, from 1e-6 to 1e-4,
/// and larger for a and b by 0.03 of the variance of L. With the chroma C' of the color so found, all settings are
/// multiplied by C'² / (C'² + σ ε): what is no stronger than noise has no hue.
///
/// Positions and shapes are Safelight's own, after the eight bands of raw converters. Source of
/// OKLab: B. Ottosson, "A perceptual color space for image processing", 2020. Bands by a guided filter of color: as in darktable's color
/// equalizer.
public struct ColorMixer: Adjustment {
  public static let id = "color-mixer"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Changes hue, saturation and luminance of eight bands of color."
  public static let parameters: [Parameter<Self>] = [
    band(
      "red", hue: \.red.hue, saturation: \.red.saturation, luminance: \.red.luminance,
      between: "magenta", and: "orange"),
    band(
      "orange", hue: \.orange.hue, saturation: \.orange.saturation, luminance: \.orange.luminance,
      between: "red", and: "yellow"),
    band(
      "yellow", hue: \.yellow.hue, saturation: \.yellow.saturation, luminance: \.yellow.luminance,
      between: "orange", and: "green"),
    band(
      "green", hue: \.green.hue, saturation: \.green.saturation, luminance: \.green.luminance,
      between: "yellow", and: "aqua"),
    band(
      "aqua", hue: \.aqua.hue, saturation: \.aqua.saturation, luminance: \.aqua.luminance,
      between: "green", and: "blue"),
    band(
      "blue", hue: \.blue.hue, saturation: \.blue.saturation, luminance: \.blue.luminance,
      between: "aqua", and: "purple"),
    band(
      "purple", hue: \.purple.hue, saturation: \.purple.saturation, luminance: \.purple.luminance,
      between: "blue", and: "magenta"),
    band(
      "magenta", hue: \.magenta.hue, saturation: \.magenta.saturation,
      luminance: \.magenta.luminance,
      between: "purple", and: "red"),
  ].flatMap { $0 }

  /// What happens to one band, -100 to 100 each; 0 changes nothing.
  public struct Band: Sendable, Hashable {
    /// Moves hues towards the next band (red, orange, yellow … magenta), or below 0 the previous
    /// band.
    public var hue = 0.0
    /// Makes colors stronger, or below 0 weaker; -100 leaves gray.
    public var saturation = 0.0
    /// Makes colors lighter, or below 0 darker.
    public var luminance = 0.0

    /// Changes nothing.
    public init() {}
  }

  /// Hues around 30° of OKLab.
  public var red = Band()
  /// Hues around 60°, most of skin among them.
  public var orange = Band()
  /// Hues around 105°.
  public var yellow = Band()
  /// Hues around 135°, most of leaves among them.
  public var green = Band()
  /// Hues around 195°.
  public var aqua = Band()
  /// Hues around 255°, most of skies among them.
  public var blue = Band()
  /// Hues around 300°.
  public var purple = Band()
  /// Hues around 345°.
  public var magenta = Band()

  /// Changes nothing.
  public init() {}

  private typealias Path = any WritableKeyPath<Self, Double> & Sendable

  private static func band(
    _ name: String, hue: Path, saturation: Path, luminance: Path,
    between previous: String, and next: String
  ) -> [Parameter<Self>] {
    [
      Parameter(
        hue, name + "Hue", range: -100...100, unit: .percent,
        summary: "Moves \(name) towards \(next); negative towards \(previous)."),
      Parameter(
        saturation, name + "Saturation", range: -100...100, unit: .percent,
        summary: "Makes \(name) stronger; -100 leaves gray."),
      Parameter(
        luminance, name + "Luminance", range: -100...100, unit: .percent,
        summary: "Makes \(name) lighter; negative darker."),
    ]
  }
}
