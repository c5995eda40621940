import Glibc
import SafelightAdjustments

extension Exposure: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    // A curve, not a matrix: it joins the conversions to linear light and back in one table.
    let factor = exp2(amount)
    return [.curves(ChannelCurves { factor * $0 }, in: .linear)]
  }
}
