/// Changes the hue, saturation and luminance of eight bands of hues, each by itself.
///
/// On sRGB-encoded values, with the BT.709 luma Y', chroma C = max − min of the channels and the
/// hue of the RGB hexagon (0° red, 60° yellow, 120° green …). The bands have their middles at 0°
/// (red), 30° (orange), 60° (yellow), 120° (green), 180° (aqua), 225° (blue), 270° (purple) and
/// 315° (magenta), so that skies are mostly blue. Between two middles, a share t of the way, the later band has the weight
/// 3t² − 2t³ and the earlier one the rest, so weights sum to 1 everywhere. So weighted, and in
/// shares of 1, the settings give the saturation s, the luminance l and how far the hue moves: for
/// one band, its hue in shares of 1 times 0.6 of the distance to the next band's middle when it is
/// positive, to the previous one's when negative. Hues keep their order while one band moves.
///
/// A hue h has the color t(h), hue's corner of the hexagon with chroma 1: in units of 60°, red is
/// |h − 3| − 1, green 2 − |h − 2|, blue 2 − |h − 4|, each limited to 0…1. With c = min(C, 1)
/// and h the moved hue,
///
///     k = 1 + s (1 − c) for s > 0, and 1 + s otherwise
///     d = 1 + 0.8 l c for l < 0, and 1 otherwise
///     b = l c (2 − c) max(Y' (1 − Y'), 0) for l > 0, and 0 otherwise
///     out = d × (Y' + k C (t(h) − Y'(t(h)))) + b
///
/// so hue and saturation keep luma, luminance makes it d Y' + b, and gray stays as it is. Positions
/// and shapes are Safelight's own, after the eight bands of raw developers.
public struct ColorMixer: Adjustment {
  public static let id = "color-mixer"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Changes hue, saturation and luminance of eight bands of color."
  public static let parameters: [Parameter<Self>] = [
    band("red", \.red.hue, \.red.saturation, \.red.luminance, between: "magenta", "orange"),
    band(
      "orange", \.orange.hue, \.orange.saturation, \.orange.luminance, between: "red", "yellow"),
    band(
      "yellow", \.yellow.hue, \.yellow.saturation, \.yellow.luminance, between: "orange", "green"),
    band("green", \.green.hue, \.green.saturation, \.green.luminance, between: "yellow", "aqua"),
    band("aqua", \.aqua.hue, \.aqua.saturation, \.aqua.luminance, between: "green", "blue"),
    band("blue", \.blue.hue, \.blue.saturation, \.blue.luminance, between: "aqua", "purple"),
    band(
      "purple", \.purple.hue, \.purple.saturation, \.purple.luminance, between: "blue", "magenta"),
    band(
      "magenta", \.magenta.hue, \.magenta.saturation, \.magenta.luminance,
      between: "purple", "red"),
  ].flatMap { $0 }

  /// What happens to one band, -100 to 100 each; 0 changes nothing.
  public struct Band: Sendable, Hashable {
    /// Towards the next band around the wheel (red, orange, yellow … magenta), or the previous.
    public var hue = 0.0
    /// Stronger, or weaker down to gray.
    public var saturation = 0.0
    /// Lighter, or darker.
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
    _ name: String, _ hue: Path, _ saturation: Path, _ luminance: Path,
    between previous: String, _ next: String
  ) -> [Parameter<Self>] {
    [
      Parameter(
        hue, name + "Hue", range: -100...100, unit: .percent,
        "Moves \(name) towards \(next); negative towards \(previous)."),
      Parameter(
        saturation, name + "Saturation", range: -100...100, unit: .percent,
        "Makes \(name) stronger; -100 leaves gray."),
      Parameter(
        luminance, name + "Luminance", range: -100...100, unit: .percent,
        "Makes \(name) lighter; negative darker."),
    ]
  }
}
