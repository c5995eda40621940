import SafelightAdjustments

extension ColorMixer: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    return [.kernel(ColorMixerKernel(bands: hueBands))]
  }

  private var hueBands: HueBands {
    let middles = HueBands.seenMiddles
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    let settings = bands.enumerated().map { index, band in
      let previous = index == 0 ? middles[7] - 360 : middles[index - 1]
      let next = index == 7 ? 360 + middles[0] : middles[index + 1]
      let reach = band.hue > 0 ? next - middles[index] : middles[index] - previous
      return HueBands.Setting(
        shift: 0.6 * reach * band.hue / 100, saturation: band.saturation / 100,
        luminance: band.luminance / 100)
    }
    return HueBands(settings, middles: middles)
  }
}

private struct ColorMixerKernel: ColorKernel {
  let space = ColorSpace.linear
  let dependsOnPlace = false
  let cost = 20.0
  let bands: HueBands

  func apply(to tile: ColorTile) {
    bands.withTable { kernels.mix_seen_hues(tile.red, $0, Int32(tile.count)) }
  }
}
