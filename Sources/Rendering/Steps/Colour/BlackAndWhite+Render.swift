import Adjustments

extension BlackAndWhite: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard amount > 0 else { return [] }
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    if toning == 0, bands.allSatisfy({ $0 == 0 }) {
      return [.matrix(Luma.saturating(by: 1 - amount / 100), in: .encoded)]
    }
    return [
      .kernel(
        BlackAndWhiteKernel(
          bands: HueBands(bands.map { HueBands.Setting(luminance: $0 / 100) }),
          tint: Hexagon.tint(degrees: toningHue, strength: 0.25 * toning / 100),
          amount: Float(amount / 100)))
    ]
  }
}

private struct BlackAndWhiteKernel: ColourKernel {
  let space = ColourSpace.encoded
  let bands: HueBands
  let tint: (red: Float, green: Float, blue: Float)
  let amount: Float

  func apply(to tile: ColourTile) {
    let (tint, amount) = (tint, amount)
    // Two products rather than a difference: at the whole amount nothing of the colours is left
    // over by rounding, and the three channels are equal.
    let rest = 1 - amount
    HueTile.forEach(of: tile, bands: bands) { part in
      for index in 0..<part.count {
        let (r, g, b) = (part.red[index], part.green[index], part.blue[index])
        let luma = Luma.of(r, g, b)
        let (darkening, lightening) = HueTile.lightness(
          part.luminance[index], chroma: Hexagon.smaller(part.chroma[index], 1), luma: luma)
        let grey = darkening * luma + lightening
        let room = Hexagon.room(forTintAt: Hexagon.limited(grey))
        part.red[index] = rest * r + amount * (grey + room * tint.red)
        part.green[index] = rest * g + amount * (grey + room * tint.green)
        part.blue[index] = rest * b + amount * (grey + room * tint.blue)
      }
    }
  }
}
