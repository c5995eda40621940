import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightColorKernels

extension Hue: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.kernel(HueKernel(degrees: amount))]
  }
}

private struct HueKernel: ColorKernel {
  let space = ColorSpace.linear
  let dependsOnPlace = false
  let cost = 8.0
  private let cosine, sine: Float

  init(degrees: Double) {
    cosine = Float(cos(degrees * .pi / 180))
    sine = Float(sin(degrees * .pi / 180))
  }

  func apply(to tile: ColorTile) {
    kernels.turn_hues(tile.red, cosine, sine, Int32(tile.count))
  }
}
