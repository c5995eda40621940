import SafelightAdjustments

extension Fade: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let (lift, drop) = (0.18 * amount / 100, 0.05 * amount / 100)
    let curve = ChannelCurves.tones(below: 1 - 3 * lift, above: 1 - 3 * drop) { input in
      let fromWhite = 1 - input
      return input + lift * fromWhite * fromWhite * fromWhite - drop * input * input * input
    }
    return [.curves(curve, in: .encoded)]
  }
}
