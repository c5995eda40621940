/// A mask that fades along a line: 1 up to its start, 0 from its end on, and the same across it.
///
/// With t the place's share of the way from the start to the end, measured along the line in the shape of the photo, the
/// number is `1 − t² (3 − 2 t)`, which begins and ends without a bend. Source: the Hermite interpolation of GLSL's
/// `smoothstep` (OpenGL Shading Language 4.60, 8.3); Core Image has such a gradient as `CISmoothLinearGradient`. A line
/// without a length gives 1 everywhere.
package struct LinearGradient: TurnsWithPhoto {
  package static let id = "linear-gradient"
  package static let version = 1
  package static let group = AdjustmentGroup.look
  package static let summary = "Fades along a line."
  package static let parameters: [Parameter<Self>] = [
    Parameter(
      \.startX, "startX", range: -1...2, unit: .share, option: .none,
      summary: "Where the fading begins, from the left edge."),
    Parameter(
      \.startY, "startY", range: -1...2, unit: .share, option: .none,
      summary: "Where the fading begins, from the top edge."),
    Parameter(
      \.endX, "endX", range: -1...2, unit: .share, option: .none,
      summary: "Where the fading ends, from the left edge."),
    Parameter(
      \.endY, "endY", range: -1...2, unit: .share, option: .none,
      summary: "Where the fading ends, from the top edge."),
  ]

  /// Where the fading begins, in shares of the width and the height.
  package var startX = 0.5, startY = 0.0
  /// Where the fading ends.
  package var endX = 0.5, endY = 1.0

  /// From the top edge to the bottom edge.
  package init() {}

  package mutating func follow(_ move: PictureMove) {
    (startX, startY) = move.place((startX, startY))
    (endX, endY) = move.place((endX, endY))
  }
}
