import FoundationEssentials
import Glibc
import SafelightAdjustments

extension Gamma: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    return [.curves(ChannelCurves(Self.curve(amount)), in: .encoded)]
  }

  /// A power law, continued to all numbers: mirrored below 0, and linear above 1.
  static func curve(_ gamma: Double) -> ChannelCurves.Function {
    let exponent = 1 / gamma
    return { input in
      if input > 1 { return 1 + exponent * (input - 1) }
      return input < 0 ? -pow(-input, exponent) : pow(input, exponent)
    }
  }
}
