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
    kernels.vibrance(tile.red, amount, Int32(tile.count))
  }
}
