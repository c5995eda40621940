import SafelightAdjustments

extension WhitesBlacks: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let white = 0.18 * whites / 100
    let black = 0.15 * blacks / 100
    let curve = ChannelCurves.tones(below: 1 - 4 * black, above: 1 + 4 * white) { input in
      let (fromBlack, fromWhite) = (input * input, (1 - input) * (1 - input))
      return input + white * fromBlack * fromBlack + black * fromWhite * fromWhite
    }
    return [.curves(curve, in: .encoded)]
  }
}
