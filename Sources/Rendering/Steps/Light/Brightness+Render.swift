import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Brightness: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let slope = pow(3, amount / 100)
    let curve = ChannelCurves.tones(below: slope, above: 1 / slope) {
      slope * $0 / (1 + (slope - 1) * $0)
    }
    return [.curves(curve, in: .encoded)]
  }
}
