/// Changes the hue, saturation and luminance of eight bands of hues, each separately.
///
/// On sRGB-encoded values, with the BT.709 luma Y', chroma C = max − min of the channels and the
/// hue of the RGB hexagon (0° red, 60° yellow, 120° green …). The bands have their middles at 0°
/// (red), 30° (orange), 60° (yellow), 120° (green), 180° (aqua), 225° (blue), 270° (purple) and
/// 315° (magenta), so that skies are mostly blue. At a share t of the way between two middles, the
/// later band has the weight 3t² − 2t³ and the earlier band the rest, so weights sum to 1
/// everywhere. The weighted settings, as shares of 1, give the saturation s, the luminance l and
/// the movement of the hue. The movement for one band is its hue setting, as a share of 1, times
/// 0.6 of the distance to the middle of the next band when the setting is positive, and of the
/// previous band when it is negative. Hues keep their order while one band moves.
///
/// A hue h has the color t(h) with chroma 1: in units of 60°, red is
/// |h − 3| − 1, green 2 − |h − 2|, blue 2 − |h − 4|, each limited to 0…1. With c = min(C, 1)
/// and h the moved hue,
///
///     k = 1 + s (1 − c) for s > 0, and 1 + s otherwise
///     d = 1 + 0.8 l c for l < 0, and 1 otherwise
///     b = l c (2 − c) max(Y' (1 − Y'), 0) for l > 0, and 0 otherwise
///     out = d × (Y' + k C (t(h) − Y'(t(h)))) + b
///
/// so hue and saturation keep luma, luminance changes luma to d Y' + b, and gray does not change.
/// Positions and shapes are Safelight's own, after the eight bands of raw converters.
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

  /// Hues around 0°.
  public var red = Band()
  /// Hues around 30°, most of skin among them.
  public var orange = Band()
  /// Hues around 60°.
  public var yellow = Band()
  /// Hues around 120°.
  public var green = Band()
  /// Hues around 180°.
  public var aqua = Band()
  /// Hues around 225°, most of skies among them.
  public var blue = Band()
  /// Hues around 270°.
  public var purple = Band()
  /// Hues around 315°.
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
