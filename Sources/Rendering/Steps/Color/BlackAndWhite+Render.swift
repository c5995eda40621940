import SafelightAdjustments

extension BlackAndWhite: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
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

private struct BlackAndWhiteKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  let bands: HueBands
  let tint: (red: Float, green: Float, blue: Float)
  let amount: Float

  func apply(to tile: ColorTile) {
    let tint = [tint.red, tint.green, tint.blue]
    bands.withTable { kernels.gray_hues(tile.red, $0, tint, amount, Int32(tile.count)) }
  }
}
