import SafelightAdjustments

extension Saturation: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    isNeutral ? [] : [.matrix(Luma.saturating(by: 1 + amount / 100), in: .linear)]
  }
}
