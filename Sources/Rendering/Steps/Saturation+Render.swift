import Adjustments

extension Saturation: ColourRenderable {
  func colourStep() -> (any ColourStep)? {
    isNeutral ? nil : SaturationStep(factor: Float(1 + amount))
  }
}

private struct SaturationStep: ColourStep {
  let space = ColourSpace.encoded
  let factor: Float

  func apply(to tile: ColourTile) {
    for index in 0..<tile.count {
      let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
      let luma = Luma.of(r, g, b)
      tile.red[index] = luma + factor * (r - luma)
      tile.green[index] = luma + factor * (g - luma)
      tile.blue[index] = luma + factor * (b - luma)
    }
  }
}
