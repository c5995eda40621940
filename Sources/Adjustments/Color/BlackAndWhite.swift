/// Makes the picture gray, with an adjustable brightness for each hue, and tones the grays.
///
/// The luminance of a color in linear light is Y = 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709-6). Its tone e is
/// that luminance encoded as sRGB. The bands and the strength c of a color are those of ``ColorMixer``. Where the
/// strongest setting is above 20, hue and strength are those of the calm color there instead of the pixel's own. The settings,
/// weighted as there, give l, as a share of 1. With
/// d = 1 + 0.8 l c for l < 0 and otherwise 1, b = l c (2 − c) max(e (1 − e), 0) for l > 0 and otherwise 0, the encoded gray
/// is `G = d e + b`.
///
/// Toning adds a color and keeps the luma. On the hexagon of RGB (0° red, 60° yellow, 120° green …) a hue h has the color
/// t(h): in units of 60°, red is |h − 3| − 1, green 2 − |h − 2|, blue 2 − |h − 4|, each limited to 0…1. With
/// g = G limited to 0…1,
/// `T = G + 0.25 × toning / 100 × (t(toningHue) − Y'(t)) × (1 − (2g − 1)⁴)`, so black and white stay
/// clean. The result is `in + amount / 100 × (T − in)`, on linear light.
/// Hues near darkroom toners: sepia 35°, cyanotype 220°, selenium 300°.
public struct BlackAndWhite: Adjustment {
  public static let id = "black-and-white"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Makes the picture black and white, and tones it."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent,
      summary: "How far colors become gray; 100 is black and white."),
    band("red", \.red), band("orange", \.orange), band("yellow", \.yellow),
    band("green", \.green), band("aqua", \.aqua), band("blue", \.blue),
    band("purple", \.purple), band("magenta", \.magenta),
    Parameter(
      \.toning, "toning", range: 0...100, unit: .percent,
      summary: "How strongly the grays are toned."),
    Parameter(
      \.toningHue, "toningHue", range: 0...360, unit: .degrees,
      summary: "The hue of the toning: 35 sepia, 220 cyanotype, 300 selenium."),
  ]

  /// 0 changes nothing, with any other parameters; 100 is black and white.
  public var amount = 0.0
  /// How light each band of hues becomes, -100 to 100: darker or lighter than its luma.
  public var red = 0.0, orange = 0.0, yellow = 0.0, green = 0.0
  /// How light each band of hues becomes, -100 to 100: darker or lighter than its luma.
  public var aqua = 0.0, blue = 0.0, purple = 0.0, magenta = 0.0
  /// How strongly the grays are toned, 0 to 100.
  public var toning = 0.0
  /// The hue of the toning in degrees; it has an effect when ``toning`` is above 0.
  public var toningHue = 35.0

  /// Colors as they are.
  public init() {}

  private static func band(
    _ name: String, _ path: any WritableKeyPath<Self, Double> & Sendable
  ) -> Parameter<Self> {
    Parameter(
      path, name, range: -100...100, unit: .percent,
      summary: "How light \(name) becomes; negative is darker.")
  }
}
