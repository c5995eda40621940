/// Turns the picture by degrees, and crops it so that no corner is empty.
///
/// The picture turns clockwise around its middle: a place (x, y) of the result, from its middle,
/// right and down, shows the place (x cos a + y sin a, y cos a − x sin a) from the middle of the
/// source. The result is the largest rectangle around the middle that has the picture's aspect and
/// lies inside: for a picture of W × H pixels, s W × s H pixels, rounded down, at least one, with
///
///     s = min(W / (W cos |a| + H sin |a|), H / (W sin |a| + H cos |a|)).
///
/// Pixels keep their size. Between them, a sinc over 12 × 12 pixels in a Kaiser window with β = 4, on
/// encoded values, once for all neighboring geometry together.
public struct Straighten: Adjustment {
  public static let id = "straighten"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Turns the picture by degrees and crops the empty corners."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -45...45, unit: .degrees,
      summary: "How far the picture is turned clockwise; below 0 counterclockwise.")
  ]

  /// Degrees clockwise, -45 to 45; 0 changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}

extension Straighten: TurnsWithPhoto {
  package mutating func follow(_ move: PictureMove) {
    if move.isMirroring { amount.negate() }
  }
}
