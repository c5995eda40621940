/// The largest upright rectangle of an aspect inside a convex quadrangle.
///
/// A rectangle with its middle at (x, y) and `share` of a width and height lies inside when it lies
/// on the inner side of all four sides, which are straight in x, y and share: a linear program
/// with three unknowns, whose best point lies on three of the four sides.
struct InscribedRectangle {
  /// The middle.
  let x, y: Double
  /// The sides for one of the width and height asked for.
  let share: Double

  /// A side: the inside is where `across × x + down × y + reach × share ≤ limit`.
  private struct Side {
    let across, down, reach, limit: Double
  }

  /// - Parameters:
  ///   - width: The width at a share of 1.
  ///   - height: The height at a share of 1.
  ///   - corners: The quadrangle, clockwise on the screen.
  /// - Returns: `nil` when the quadrangle has no inside.
  init?(width: Double, height: Double, in corners: [(x: Double, y: Double)]) {
    let sides = corners.indices.map { index in
      let (start, end) = (corners[index], corners[(index + 1) % corners.count])
      let (across, down) = (end.y - start.y, start.x - end.x)
      let length = (across * across + down * down).squareRoot()
      // The rectangle's corner that comes nearest to the side counts.
      return Side(
        across: across / length, down: down / length,
        reach: (abs(across) * width + abs(down) * height) / (2 * length),
        limit: (across * start.x + down * start.y) / length)
    }
    let slack = 1e-9 * (width + height)
    var best: (x: Double, y: Double, share: Double)?
    for left in sides.indices {
      let three = sides.indices.filter { $0 != left }.map { sides[$0] }
      guard let point = Self.meeting(three) else { continue }
      let isInside = sides.allSatisfy {
        $0.across * point.x + $0.down * point.y + $0.reach * point.share <= $0.limit + slack
      }
      if isInside, point.share > best?.share ?? 0 { best = point }
    }
    guard let best else { return nil }
    // What rounding may have left outside is less than this.
    (x, y, share) = (best.x, best.y, best.share * (1 - 1e-8))
  }

  /// Where three sides are touched, by Cramer's rule.
  private static func meeting(_ sides: [Side]) -> (x: Double, y: Double, share: Double)? {
    func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
      a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
    }
    let (across, down) = (sides.map(\.across), sides.map(\.down))
    let (reach, limit) = (sides.map(\.reach), sides.map(\.limit))
    let whole = determinant(across, down, reach)
    guard abs(whole) > 1e-12 else { return nil }
    return (
      determinant(limit, down, reach) / whole, determinant(across, limit, reach) / whole,
      determinant(across, down, limit) / whole
    )
  }
}
