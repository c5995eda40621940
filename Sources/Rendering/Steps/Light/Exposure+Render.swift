import Adjustments
import Glibc

extension Exposure: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral else { return [] }
    // A curve, not a matrix: it joins the conversions to linear light and back in one table.
    let factor = exp2(amount)
    return [.curves(ChannelCurves { factor * $0 }, in: .linear)]
  }
}
