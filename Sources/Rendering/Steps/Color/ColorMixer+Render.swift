import SafelightAdjustments

extension ColorMixer: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    let middles = HueBands.middles
    let settings = bands.enumerated().map { index, band in
      let previous = index == 0 ? middles[7] - 360 : middles[index - 1]
      let next = index == 7 ? 360 : middles[index + 1]
      let reach = band.hue > 0 ? next - middles[index] : middles[index] - previous
      return HueBands.Setting(
        shift: 0.6 * reach * band.hue / 100, saturation: band.saturation / 100,
        luminance: band.luminance / 100)
    }
    return [.kernel(ColorMixerKernel(bands: HueBands(settings)))]
  }
}

private struct ColorMixerKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  let bands: HueBands

  func apply(to tile: ColorTile) {
    bands.withTable { kernels.mix_hues(tile.red, $0, Int32(tile.count)) }
  }
}
