import Adjustments

extension Invert: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral else { return [] }
    let share = amount / 100
    return [.curves(ChannelCurves { $0 + share * (1 - 2 * $0) }, in: .encoded)]
  }
}
