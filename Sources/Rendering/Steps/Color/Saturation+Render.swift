import SafelightAdjustments

extension Saturation: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    return [.matrix(Luma.saturating(by: 1 + amount / 100), in: .encoded)]
  }
}
