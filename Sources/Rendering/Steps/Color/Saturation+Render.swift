import SafelightAdjustments

extension Saturation: ColorRenderable, EarlierRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] { steps(on: .linear) }

  func rendering(ofVersion version: Int) -> PlanItem? {
    version < 3 ? .color(LumaSaturation(current: self)) : nil
  }

  fileprivate func steps(on space: ColorSpace) -> [ColorStep] {
    isNeutral ? [] : [.matrix(Luma.saturating(by: 1 + amount / 100), in: space)]
  }
}

/// Versions 1 and 2, which worked on encoded values.
private struct LumaSaturation: ColorRenderable {
  let current: Saturation

  func colorSteps(in context: StepContext) -> [ColorStep] { current.steps(on: .encoded) }
}
