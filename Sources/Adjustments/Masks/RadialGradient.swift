/// A mask that is 1 inside an ellipse and fades to 0 at its edge.
///
/// With d the distance from the middle, where 1 is the edge of the ellipse, and `t = (d − (1 − feather)) / feather`,
/// limited to 0 to 1, the number is `1 − t² (3 − 2 t)`. Source: as for ``LinearGradient``; Core Image's
/// `CIRadialGradient` fades between two radii too, in a straight line.
package struct RadialGradient: TurnsWithPhoto {
  package static let id = "radial-gradient"
  package static let version = 1
  package static let group = AdjustmentGroup.look
  package static let summary = "Fades from the middle of an ellipse to its edge."
  package static let parameters: [Parameter<Self>] = [
    Parameter(
      \.x, "x", range: -1...2, unit: .share, option: .none,
      summary: "The middle, from the left edge."),
    Parameter(
      \.y, "y", range: -1...2, unit: .share, option: .none,
      summary: "The middle, from the top edge."),
    Parameter(
      \.width, "width", range: 0.001...3, unit: .share, option: .none,
      summary: "From the middle to the left and right edge of the ellipse, as a share of the width."
    ),
    Parameter(
      \.height, "height", range: 0.001...3, unit: .share, option: .none,
      summary:
        "From the middle to the upper and lower edge of the ellipse, as a share of the height."
    ),
    Parameter(
      \.feather, "feather", unit: .share, option: .none,
      summary: "How much of the way from the edge to the middle fades."),
  ]

  /// The middle, in shares of the width and the height.
  package var x = 0.5, y = 0.5
  /// Half the axes, in shares of the width and the height.
  package var width = 0.5, height = 0.5
  /// How much of the way from the edge to the middle fades; 0 is a hard edge.
  package var feather = 1.0

  /// The largest ellipse in the photo, wholly soft.
  package init() {}

  package mutating func follow(_ move: PictureMove) {
    (x, y) = move.place((x, y))
    if move.exchangesSides { swap(&width, &height) }
  }
}
