import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightColorKernels

extension Hue: ColorRenderable, EarlierRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.kernel(HueKernel(degrees: amount))]
  }

  func rendering(ofVersion version: Int) -> PlanItem? {
    version < 2 ? .color(LumaHue(current: self)) : nil
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

/// Version 1, which turned encoded values about the line of grays.
///
/// `A` turns colors from red towards green, so that all its rows sum to 1. With c and s the cosine
/// and sine of the amount, a = c + (1 − c) / 3, b = (1 − c) / 3 − s / √3 and
/// d = (1 − c) / 3 + s / √3, its rows are (a, b, d), (d, a, b) and (b, d, a). The result is
/// `A in + Y'(in) − Y'(A in)`, so that luma is kept.
private struct LumaHue: ColorRenderable {
  let current: Hue

  func colorSteps(in context: StepContext) -> [ColorStep] { [.matrix(matrix, in: .encoded)] }

  private var matrix: ColorMatrix {
    let angle = current.amount * .pi / 180
    let along = (1 - cos(angle)) / 3
    let across = sin(angle) / 3.0.squareRoot()
    let (own, next, last) = (cos(angle) + along, along - across, along + across)
    let rotation = ColorMatrix([own, next, last, last, own, next, next, last, own])
    let luma = Luma.saturating(by: 0)
    let rotatedLuma = luma * rotation
    return ColorMatrix(
      (0..<9).map { rotation.elements[$0] + luma.elements[$0] - rotatedLuma.elements[$0] })
  }
}
