import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Perspective: GeometryRenderable {
  var movesPixels: Bool { true }

  func transform(in context: StepContext) -> PictureTransform? {
    guard !isNeutral else { return nil }
    let (width, height) = (Double(context.width), Double(context.height))
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
    // From the first corner of the result to its middle, through the tilt, and from the source's
    // middle to its first corner.
    let into = PictureTransform(
      width: Int(wide), height: Int(high),
      matrix: [1, 0, kept.x - wide / 2, 0, 1, kept.y - high / 2, 0, 0, 1])
    let out = PictureTransform(
      width: context.width, height: context.height,
      matrix: [1, 0, width / 2, 0, 1, height / 2, 0, 0, 1])
    let turned = PictureTransform(
      width: context.width, height: context.height, matrix: tilt.matrix)
    return out.followed(by: turned).followed(by: into)
  }
}

/// A camera that was turned away from where the result looks.
private struct Tilt {
  /// The cosine and sine of the angles up and to the right.
  private let up, right: (cos: Double, sin: Double)
  private let focalLength: Double

  init(up: Double, right: Double, focalLength: Double) {
    self.up = (cos(up), sin(up))
    self.right = (cos(right), sin(right))
    self.focalLength = focalLength
  }

  /// From places of the result to places of the source, each from its middle.
  var matrix: [Double] {
    let f = focalLength
    return [
      f * right.cos, 0, f * f * right.sin,
      -f * right.sin * up.sin, f * up.cos, f * f * right.cos * up.sin,
      -right.sin * up.cos, -up.sin, f * right.cos * up.cos,
    ]
  }

  /// The place of the result for a place of the source: the turns backwards.
  func result(ofSource x: Double, _ y: Double) -> (x: Double, y: Double) {
    let f = focalLength
    let depth = y * up.sin + f * up.cos
    let down = y * up.cos - f * up.sin
    let ahead = x * right.sin + depth * right.cos
    return (f * (x * right.cos - depth * right.sin) / ahead, f * down / ahead)
  }
}
