import Glibc
import SafelightAdjustments

extension Contrast: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    return [.curves(amount > 0 ? Self.steep(amount / 100) : Self.flat(-amount / 100), in: .encoded)]
  }

  /// The logistic curve.
  private static func steep(_ share: Double) -> ChannelCurves {
    let steepness = 6 * share.squareRoot()
    let end = tanh(steepness / 4)
    // At black and at white.
    let slope = steepness * (1 - end * end) / (4 * end)
    return .tones(below: slope, above: slope) {
      0.5 + tanh(steepness * ($0 - 0.5) / 2) / (2 * end)
    }
  }

  /// The cubic.
  private static func flat(_ share: Double) -> ChannelCurves {
    let strength = 0.8 * share
    return .tones(below: 1 + strength, above: 1 + strength) {
      $0 + strength * $0 * (1 - $0) * (1 - 2 * $0)
    }
  }
}
