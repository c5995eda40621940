import SafelightAdjustments

extension Vignette: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    amount == 0 ? [] : [.kernel(VignetteKernel(self, in: context))]
  }
}

/// Multiplies linear light by a gain that depends on the place.
private struct VignetteKernel: ColorKernel {
  let space = ColorSpace.linear
  let keepsGray = true
  private let width: Int
  private let height: Int
  /// The square root of the full gain, minus 1.
  private let strength: Float
  /// The weights of the squares of u and v in the distance.
  private let acrossWeight, downWeight: Float
  /// The weight of the rectangle in the distance.
  private let rectangleWeight: Float
  /// The distance at which the effect begins, and the inverse of the distance from there to its
  /// end.
  private let start, perSpan: Float

  init(_ vignette: Vignette, in context: StepContext) {
    (width, height) = (context.size.width, context.size.height)
    strength = Float(0.75 * vignette.amount / 100)
    let roundness = vignette.roundness / 100
    let (across, down) = (Double(width) * Double(width), Double(height) * Double(height))
    let circle = across / (across + down)
    let weight =
      roundness < 0 ? (1 + roundness) / 2 : (1 - roundness) / 2 + roundness * circle
    acrossWeight = Float(weight)
    downWeight = Float(roundness < 0 ? weight : 1 - weight)
    rectangleWeight = Float(max(-roundness, 0))
    let middle = 0.1 + 0.8 * vignette.midpoint / 100
    let feather = vignette.feather / 100
    let (start, end) = (middle * (1 - feather), middle + feather + 0.01)
    self.start = Float(start)
    perSpan = Float(1 / (end - start))
  }

  func apply(to tile: ColorTile) {
    withFloats(tile.count) { memory in
      let gains = memory.baseAddress!
      measure(into: gains, count: tile.count, x: tile.x, y: tile.y)
      convertToGains(gains, count: tile.count)
      tile.forEachPlane { _, plane in
        for index in 0..<tile.count { plane[index] *= gains[index] }
      }
    }
  }

  // Both loops copy the kernel's numbers first. Otherwise the compiler assumes that writing pixels
  // may change these numbers, and does not vectorize.

  /// Writes the distances from the middle along a row.
  private func measure(
    into distances: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int
  ) {
    // Twice the distance from the middle in pixels is a whole number. So both sides of a picture
    // get the same gain to the last bit.
    let left = Int32(truncatingIfNeeded: 2 * x + 1 - width)
    let perWidth = 1 / Float(width)
    let v = Float(2 * y + 1 - height) / Float(height)
    let down = v * v
    let (weight, rowPart) = (acrossWeight, downWeight * down)
    if rectangleWeight == 0 {
      for index in 0..<count {
        let u = Float(left &+ 2 &* Int32(truncatingIfNeeded: index)) * perWidth
        distances[index] = weight * (u * u) + rowPart
      }
    } else {
      let rectangleWeight = rectangleWeight
      let down4 = down * down * (down * down)
      for index in 0..<count {
        let u = Float(left &+ 2 &* Int32(truncatingIfNeeded: index)) * perWidth
        let across = u * u
        let across4 = across * across * (across * across)
        let rectangle = ((across4 + down4) * 0.5).squareRoot().squareRoot()
        distances[index] = weight * across + rowPart + rectangleWeight * rectangle
      }
    }
  }

  /// Replaces distances from the middle by gains.
  private func convertToGains(_ distances: UnsafeMutablePointer<Float>, count: Int) {
    let (start, perSpan, strength) = (start, perSpan, strength)
    for index in 0..<count {
      let t = min(max((distances[index] - start) * perSpan, 0), 1)
      let root = 1 + strength * (t * t * t * (t * (6 * t - 15) + 10))
      distances[index] = root * root
    }
  }
}
