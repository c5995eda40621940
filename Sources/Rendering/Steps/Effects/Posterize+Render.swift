import SafelightAdjustments

extension Posterize: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.kernel(PosterizeKernel(steps: Float(levels - 1)))]
  }
}

/// Rounds to the nearest tone. A table would have slopes where the tones jump.
private struct PosterizeKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  let dependsOnPlace = false
  /// The number of tones minus 1.
  let steps: Float

  func apply(to tile: ColorTile) {
    // Floats near 1.5 × 2²³ have no bits for a fraction, so this addition rounds.
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
