import Adjustments

extension Vibrance: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    isNeutral ? [] : [.kernel(VibranceKernel(amount: Float(amount)))]
  }
}

private struct VibranceKernel: ColourKernel {
  let space = ColourSpace.encoded
  let amount: Float

  func apply(to tile: ColourTile) {
    for index in 0..<tile.count {
      let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
      let chroma = max(r, g, b) - min(r, g, b)
      let weakness = 1 - min(chroma, 1)
      let spared = amount > 0 ? 1 - 0.5 * Self.skinLikeness(r, g, b, chroma) : 1
      let factor = 1 + amount * weakness * weakness * spared
      let luma = Luma.of(r, g, b)
      tile.red[index] = luma + factor * (r - luma)
      tile.green[index] = luma + factor * (g - luma)
      tile.blue[index] = luma + factor * (b - luma)
    }
  }

  /// 1 for the hue of skin, 25 degrees, falling to 0 at 0 and 50 degrees.
  ///
  /// Between red and yellow the hue is 60° × (g − b) / chroma, so no angle needs computing.
  @inline(__always)
  private static func skinLikeness(_ r: Float, _ g: Float, _ b: Float, _ chroma: Float) -> Float {
    guard chroma > 0, r >= g, g >= b else { return 0 }
    let degrees = 60 * (g - b) / chroma
    return max(0, 1 - abs(degrees - 25) / 25)
  }
}
