import SafelightAdjustments

extension Posterize: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.kernel(PosterizeKernel(steps: Float(levels - 1)))]
  }
}

/// Rounds to the nearest tone. A table would draw slopes where tones jump.
private struct PosterizeKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  /// Steps from black to white.
  let steps: Float

  func apply(to tile: ColorTile) {
    // A float of 1.5 × 2²³ and a little more has no room for a fraction, so adding that rounds.
    let rounding: Float = 0x1.8p23
    let count = tile.count
    let (steps, width) = (steps, 1 / steps)
    tile.forEachPlane { _, plane in
      for index in 0..<count {
        plane[index] = ((plane[index] * steps + rounding) - rounding) * width
      }
    }
  }
}
