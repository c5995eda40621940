import SafelightAdjustments

extension Invert: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let share = amount / 100
    return [.curves(ChannelCurves { $0 + share * (1 - 2 * $0) }, in: .encoded)]
  }
}
