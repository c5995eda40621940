import Adjustments

extension Saturation: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral else { return [] }
    return [.matrix(Luma.saturating(by: 1 + amount / 100), in: .encoded)]
  }
}
