/// Spreads the tones between a black and a white point, bends them, and fits them between two
/// output tones: for all channels, then for each.
///
/// The numbers count as in Photoshop and GIMP, from 0 to 255 and with fractions, on sRGB-encoded
/// values x whatever the picture's depth. With everything but gamma γ divided by 255:
/// `t = (x − black) / (white − black)`, limited to 0…1; `out = outputBlack + t^(1/γ) ×
/// (outputWhite − outputBlack)`. A white point less than 2 above the black point counts as 2 above
/// it. Output tones the wrong way round make a negative.
///
/// Colors outside sRGB lie below 0 and above 1. An end whose black or white or output tone has
/// been moved clips, so they come out at the output tone; an end that has not been moved lets them
/// pass: below 0 as the mirrored `-(-t)^(1/γ)`, above 1 in a straight line with the slope 1/γ of t
/// at 1.
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
      "", "the picture", \.all.black, \.all.white, \.all.gamma, \.all.outputBlack,
      \.all.outputWhite)
    + table(
      "red", "red", \.red.black, \.red.white, \.red.gamma, \.red.outputBlack, \.red.outputWhite)
    + table(
      "green", "green", \.green.black, \.green.white, \.green.gamma, \.green.outputBlack,
      \.green.outputWhite)
    + table(
      "blue", "blue", \.blue.black, \.blue.white, \.blue.gamma, \.blue.outputBlack,
      \.blue.outputWhite)

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
    _ prefix: String, _ subject: String, _ black: Path, _ white: Path, _ gamma: Path,
    _ outputBlack: Path, _ outputWhite: Path
  ) -> [Parameter<Self>] {
    func name(_ text: String) -> String {
      prefix.isEmpty ? text : prefix + text.prefix(1).uppercased() + text.dropFirst()
    }
    return [
      Parameter(
        black, name("black"), range: 0...255, "The tone of \(subject) that becomes the darkest."),
      Parameter(
        white, name("white"), range: 0...255, "The tone of \(subject) that becomes the brightest."),
      Parameter(
        gamma, name("gamma"), range: 0.1...10,
        "The bend of the tones of \(subject) between; more than 1 brightens."),
      Parameter(
        outputBlack, name("outputBlack"), range: 0...255,
        "What the darkest tone of \(subject) becomes."),
      Parameter(
        outputWhite, name("outputWhite"), range: 0...255,
        "What the brightest tone of \(subject) becomes."),
    ]
  }
}
