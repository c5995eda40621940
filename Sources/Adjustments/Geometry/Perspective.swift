/// Makes lines parallel that converge because the camera was tilted, or makes lines converge.
///
/// The picture is shown as if the camera had been tilted by α = -30° × vertical / 100 up and by
/// β = -30° × horizontal / 100 to the right of where it should have looked. For a picture of W × H
/// pixels the lens is taken to be as long as the longer side, f = max(W, H): 36 mm on 35 mm film.
/// A place (x, y) of the result, from its middle, right and down, shows the place of the source
///
///     (f X / Z, f Y / Z) from the source's middle, where
///     X = x cos β + f sin β,  Z′ = f cos β − x sin β,
///     Y = y cos α + Z′ sin α,  Z = Z′ cos α − y sin α.
///
/// The result is cropped to the largest upright rectangle with the picture's aspect that has no
/// empty corner. Its place follows from a linear program: the unknowns are its middle and its size,
/// the conditions are the four sides of the source as seen in the result. Width and height are
/// rounded down to whole pixels. Between pixels, a windowed sinc as in ``Straighten``.
///
/// Source: R. Hartley and A. Zisserman, "Multiple View Geometry in Computer Vision", 2nd ed., 8.4
/// (a camera that only turns gives a homography).
public struct Perspective: Adjustment {
  public static let id = "perspective"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Straightens lines that converge because the camera was tilted."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.vertical, "vertical", range: -100...100, unit: .percent,
      summary: "How much wider the bottom gets; below 0 the top, as for a building seen from below."
    ),
    Parameter(
      \.horizontal, "horizontal", range: -100...100, unit: .percent,
      summary: "How much taller the right side gets; below 0 the left side."),
  ]

  /// How much wider the bottom gets, -100 to 100; below 0 the top.
  public var vertical = 0.0
  /// How much taller the right side gets, -100 to 100; below 0 the left side.
  public var horizontal = 0.0

  /// Changes nothing.
  public init() {}
}

extension Perspective: TurnsWithPhoto {
  package mutating func follow(_ move: PictureMove) {
    // A vector from the middle towards the side that gets larger.
    let middle = move.moved((0.5, 0.5))
    let side = move.moved((0.5 + horizontal / 200, 0.5 + vertical / 200))
    horizontal = ((side.x - middle.x) * 200).rounded(toPlaces: 9)
    vertical = ((side.y - middle.y) * 200).rounded(toPlaces: 9)
  }

  /// With values in both directions the tilt to the side comes first. Exchanged sides would exchange that order too, and no
  /// values say that.
  package var followsExchangedSides: Bool { vertical == 0 || horizontal == 0 }
}
