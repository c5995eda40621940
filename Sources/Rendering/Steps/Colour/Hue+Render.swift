import Adjustments
import FoundationEssentials
import Glibc

extension Hue: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    isNeutral ? [] : [.matrix(matrix, in: .encoded)]
  }

  /// The turn about grey, and what it takes from the luma given back to every channel.
  private var matrix: ColourMatrix {
    let angle = amount * .pi / 180
    let along = (1 - cos(angle)) / 3
    let across = sin(angle) / 3.0.squareRoot()
    let (own, next, last) = (cos(angle) + along, along - across, along + across)
    let turn = ColourMatrix([own, next, last, last, own, next, next, last, own])
    let luma = Luma.saturating(by: 0)
    let turnedLuma = luma * turn
    return ColourMatrix(
      (0..<9).map { turn.elements[$0] + luma.elements[$0] - turnedLuma.elements[$0] })
  }
}
