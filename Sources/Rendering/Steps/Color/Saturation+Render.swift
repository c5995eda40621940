import SafelightAdjustments

extension Saturation: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    // Without chroma the formula is that of black and white.
    return amount == -100
      ? [.matrix(Luma.saturating(by: 0), in: .linear)]
      : [.kernel(SaturationKernel(factor: Float(1 + amount / 100)))]
  }
}

private struct SaturationKernel: ColorKernel {
  let space = ColorSpace.linear
  let keepsGray = true
  let dependsOnPlace = false
  let cost = 8.0
  let factor: Float

  func apply(to tile: ColorTile) {
    kernels.saturate(tile.red, factor, Int32(tile.count))
  }
}
