import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Perspective: GeometryRenderable {
  var movesPixels: Bool { true }

  func warp(in context: StepContext) -> (any Warp)? {
    guard !isNeutral else { return nil }
    let (width, height) = (Double(context.size.width), Double(context.size.height))
    let tilt = Tilt(
      up: -vertical * .pi / 600, right: -horizontal * .pi / 600, focalLength: max(width, height))
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map {
      tilt.result(ofSource: $0.0 * width, $0.1 * height)
    }
    guard let kept = InscribedRectangle(width: width, height: height, in: corners) else {
      return nil
    }
    let (wide, high) = (
      max((kept.share * width).rounded(.down), 1), max((kept.share * height).rounded(.down), 1)
    )
    // Places count from the first corner of the result to its middle, then through the tilt, then
    // from the middle of the source to its first corner.
    let into = PictureTransform(
      width: Int(wide), height: Int(high),
      matrix: [1, 0, kept.x - wide / 2, 0, 1, kept.y - high / 2, 0, 0, 1])
    let out = PictureTransform(
      width: context.size.width, height: context.size.height,
      matrix: [1, 0, width / 2, 0, 1, height / 2, 0, 0, 1])
    let turned = PictureTransform(
      width: context.size.width, height: context.size.height, matrix: tilt.matrix)
    return out.followed(by: turned).followed(by: into)
  }
}

/// A camera that was turned away from the direction of the result.
private struct Tilt {
  /// The cosine and sine of the angles up and to the right.
  private let up, right: (cos: Double, sin: Double)
  private let focalLength: Double

  init(up: Double, right: Double, focalLength: Double) {
    self.up = (cos(up), sin(up))
    self.right = (cos(right), sin(right))
    self.focalLength = focalLength
  }

  /// The matrix from places of the result to places of the source, both counted from the middle.
  var matrix: [Double] {
    let f = focalLength
    return [
      f * right.cos, 0, f * f * right.sin,
      -f * right.sin * up.sin, f * up.cos, f * f * right.cos * up.sin,
      -right.sin * up.cos, -up.sin, f * right.cos * up.cos,
    ]
  }

  /// The place of the result for a place of the source: the inverse of the matrix.
  func result(ofSource x: Double, _ y: Double) -> (x: Double, y: Double) {
    let f = focalLength
    let depth = y * up.sin + f * up.cos
    let down = y * up.cos - f * up.sin
    let ahead = x * right.sin + depth * right.cos
    return (f * (x * right.cos - depth * right.sin) / ahead, f * down / ahead)
  }
}

/// The largest upright rectangle of an aspect inside a convex quadrangle.
///
/// A rectangle has its middle at (x, y) and `share` of a given width and height. It lies inside the
/// quadrangle when it lies on the inner side of all four sides. These conditions are linear in x, y
/// and share: a linear program with three unknowns, whose best point lies on three of the four
/// sides.
struct InscribedRectangle {
  /// The middle of the rectangle.
  let x, y: Double
  /// The size of the rectangle as a share of the given width and height.
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
      // The corner of the rectangle that is nearest to the side counts.
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
    // The rounding error that may have left a corner outside is smaller than this.
    (x, y, share) = (best.x, best.y, best.share * (1 - 1e-8))
  }

  /// The rectangle that touches three sides, by Cramer's rule.
  private static func meeting(_ sides: [Side]) -> (x: Double, y: Double, share: Double)? {
    func determinant(_ columns: [Double]...) -> Double {
      let (a, b, c) = (columns[0], columns[1], columns[2])
      return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
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
