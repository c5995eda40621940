import SafelightAdjustments

extension Levels: ToneRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let composite = all.curve
    func channel(_ points: Points) -> ChannelCurves.Function {
      let own = points.curve
      return { own(composite($0)) }
    }
    let isShared = [red, green, blue].allSatisfy { $0 == Points() }
    let curves =
      isShared
      ? ChannelCurves(composite)
      : ChannelCurves(red: channel(red), green: channel(green), blue: channel(blue))
    return [.curves(curves, in: .encoded)]
  }
}

extension Levels.Points {
  /// The output tone for an input tone, from 0 to 1.
  fileprivate var curve: ChannelCurves.Function {
    // Levels that were not moved give every number back exactly.
    guard self != Levels.Points() else { return { $0 } }
    let bend = Gamma.curve(gamma)
    let black = black / 255
    let span = max(white / 255 - black, 2 / 255.0)
    let output = (black: outputBlack / 255, white: outputWhite / 255)
    let lowest = self.black > 0 || outputBlack > 0 ? 0 : -Double.infinity
    let highest = white < 255 || outputWhite < 255 ? 1 : Double.infinity
    return { input in
      let tone = min(max((input - black) / span, lowest), highest)
      return output.black + bend(tone) * (output.white - output.black)
    }
  }
}
