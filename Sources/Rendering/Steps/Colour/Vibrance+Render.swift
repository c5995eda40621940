import Adjustments

extension Vibrance: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    isNeutral ? [] : [.kernel(VibranceKernel(amount: Float(amount / 100)))]
  }
}

private struct VibranceKernel: ColourKernel {
  let space = ColourSpace.encoded
  let amount: Float

  func apply(to tile: ColourTile) {
    let amount = amount
    let sparing: Float = amount > 0 ? 0.5 : 0
    for index in 0..<tile.count {
      let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
      let chroma =
        Hexagon.larger(Hexagon.larger(r, g), b) - Hexagon.smaller(Hexagon.smaller(r, g), b)
      let weakness = 1 - Hexagon.smaller(chroma, 1)
      let spared = 1 - sparing * Self.skinLikeness(r, g, b, chroma)
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
    let degrees = 60 * (g - b) / (chroma > 0 ? chroma : 1)
    let likeness = Hexagon.larger(1 - abs(degrees - 25) / 25, 0)
    // Outside red to yellow green lies below blue, or above red, and the quotient means nothing.
    let isBelowYellow: Float = r >= g ? likeness : 0
    return g >= b ? isBelowYellow : 0
  }
}
