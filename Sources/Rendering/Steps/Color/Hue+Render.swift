import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Hue: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.matrix(matrix, in: .encoded)]
  }

  /// The rotation of colors about gray. The luma that it takes away is given back to all channels.
  private var matrix: ColorMatrix {
    let angle = amount * .pi / 180
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
