/// Spreads the tones between a black and a white point, bends them, and fits them between two
/// output tones: first for all channels, then for each channel.
///
/// The numbers are those of Photoshop and GIMP, from 0 to 255 with fractions, on sRGB-encoded
/// values x at any depth of the picture. With everything but gamma γ divided by 255: `t = (x −
/// black) / (white − black)`, limited to 0…1; `out = outputBlack + t^(1/γ) × (outputWhite −
/// outputBlack)`. A white point less than 2 above the black point counts as 2 above it. Output
/// tones the wrong way round make a negative.
///
/// Colors outside sRGB lie below 0 and above 1. When the point or the output tone of an end was
/// moved, this end clips, and such colors become the output tone. An end that was not moved does
/// not clip: below 0 the curve is the mirrored `-(-t)^(1/γ)`, above 1 a straight line with the
/// slope 1/γ.
public struct Levels: Adjustment {
  /// The five numbers of one levels curve.
  public struct Points: Sendable, Hashable {
    /// The tone that becomes the darkest, 0 to 255.
    public var black = 0.0
    /// The tone that becomes the brightest, 0 to 255.
    public var white = 255.0
    /// The bend of the tones between; 1 is none, more brightens.
    public var gamma = 1.0
    /// What the darkest tone becomes, 0 to 255.
    public var outputBlack = 0.0
    /// What the brightest tone becomes, 0 to 255.
    public var outputWhite = 255.0

    /// Changes nothing.
    public init() {}
  }

  public static let id = "levels"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Sets the black and white points and the tones between."
  public static let parameters: [Parameter<Self>] =
    table(
      "", of: "the picture", black: \.all.black, white: \.all.white, gamma: \.all.gamma,
      outputBlack: \.all.outputBlack, outputWhite: \.all.outputWhite)
    + table(
      "red", of: "red", black: \.red.black, white: \.red.white, gamma: \.red.gamma,
      outputBlack: \.red.outputBlack, outputWhite: \.red.outputWhite)
    + table(
      "green", of: "green", black: \.green.black, white: \.green.white, gamma: \.green.gamma,
      outputBlack: \.green.outputBlack, outputWhite: \.green.outputWhite)
    + table(
      "blue", of: "blue", black: \.blue.black, white: \.blue.white, gamma: \.blue.gamma,
      outputBlack: \.blue.outputBlack, outputWhite: \.blue.outputWhite)

  /// The levels of red, green and blue alike, applied first.
  public var all = Points()
  /// The levels of red.
  public var red = Points()
  /// The levels of green.
  public var green = Points()
  /// The levels of blue.
  public var blue = Points()

  /// Changes nothing.
  public init() {}

  private typealias Path = any WritableKeyPath<Levels, Double> & Sendable

  /// Five parameters whose names begin with `prefix`.
  private static func table(
    _ prefix: String, of subject: String, black: Path, white: Path, gamma: Path,
    outputBlack: Path, outputWhite: Path
  ) -> [Parameter<Self>] {
    func name(_ text: String) -> String {
      prefix.isEmpty ? text : prefix + text.prefix(1).uppercased() + text.dropFirst()
    }
    return [
      Parameter(
        black, name("black"), range: 0...255,
        summary: "The tone of \(subject) that becomes the darkest."),
      Parameter(
        white, name("white"), range: 0...255,
        summary: "The tone of \(subject) that becomes the brightest."),
      Parameter(
        gamma, name("gamma"), range: 0.1...10,
        summary: "The bend of the tones of \(subject) between; more than 1 brightens."),
      Parameter(
        outputBlack, name("outputBlack"), range: 0...255,
        summary: "What the darkest tone of \(subject) becomes."),
      Parameter(
        outputWhite, name("outputWhite"), range: 0...255,
        summary: "What the brightest tone of \(subject) becomes."),
    ]
  }
}
