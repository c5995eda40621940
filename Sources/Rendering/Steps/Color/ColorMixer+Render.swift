import SafelightAdjustments

extension ColorMixer: SometimesGuidedRenderable {
  var isGuided: Bool { JudgingBands.share(ofCalm: strongest) > 0 }

  func colorSteps(in context: StepContext) -> [ColorStep] { steps(guidedBy: nil) }

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    steps(guidedBy: guide)
  }

  private func steps(guidedBy guide: ReducedPicture?) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let bands = JudgingBands(hueBands, strongest: strongest, guide: guide)
    return [.kernel(ColorMixerKernel(bands: bands))]
  }

  private var bands: [Band] { [red, orange, yellow, green, aqua, blue, purple, magenta] }

  private var strongest: Double {
    bands.map { max(abs($0.hue), abs($0.saturation), abs($0.luminance)) }.max() ?? 0
  }

  private var hueBands: HueBands {
    let middles = HueBands.middles
    let settings = bands.enumerated().map { index, band in
      let previous = index == 0 ? middles[7] - 360 : middles[index - 1]
      let next = index == 7 ? 360 + middles[0] : middles[index + 1]
      let reach = band.hue > 0 ? next - middles[index] : middles[index] - previous
      return HueBands.Setting(
        shift: 0.6 * reach * band.hue / 100, saturation: band.saturation / 100,
        luminance: band.luminance / 100)
    }
    return HueBands(settings)
  }
}

private struct ColorMixerKernel: ColorKernel {
  let space = ColorSpace.linear
  let bands: JudgingBands

  var dependsOnPlace: Bool { bands.lookAround }
  var cost: Double { bands.cost }

  func apply(to tile: ColorTile) {
    bands.withTables(on: tile) { kernels.mix_seen_hues(tile.red, $0, $1, Int32(tile.count)) }
  }
}
