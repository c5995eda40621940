import SafelightAdjustments

extension ToneCurve: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let composite = MonotoneCubic(all)
    func channel(_ curve: Curve) -> ChannelCurves.Function {
      let own = MonotoneCubic(curve)
      return Self.extended { own(composite($0)) }
    }
    let isShared = [red, green, blue].allSatisfy(\.isStraight)
    let curves =
      isShared
      ? ChannelCurves(Self.extended { composite($0) })
      : ChannelCurves(red: channel(red), green: channel(green), blue: channel(blue))
    return [.curves(curves, in: .encoded)]
  }

  /// A curve from 0 to 1 for every number: beyond the ends it goes on with the slope it has there,
  /// as steep as 4 at most, so that colors outside sRGB keep their order without running away.
  private static func extended(
    _ curve: @escaping ChannelCurves.Function
  ) -> ChannelCurves.Function {
    let step = 1.0 / 4096
    let (black, white) = (curve(0), curve(1))
    let below = min(max((curve(step) - black) / step, 0), 4)
    let above = min(max((white - curve(1 - step)) / step, 0), 4)
    return { input in
      if input < 0 { return black + below * input }
      return input > 1 ? white + above * (input - 1) : curve(input)
    }
  }
}
