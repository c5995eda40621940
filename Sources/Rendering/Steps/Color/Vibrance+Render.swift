import SafelightAdjustments

extension Vibrance: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.kernel(VibranceKernel(amount: Float(amount / 100)))]
  }
}

private struct VibranceKernel: ColorKernel {
  let space = ColorSpace.linear
  let keepsGray = true
  let dependsOnPlace = false
  let cost = 12.0
  let amount: Float

  func apply(to tile: ColorTile) {
    kernels.vibrance(tile.red, amount, Int32(tile.count))
  }
}
