import Adjustments

extension ColourMixer: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard !isNeutral else { return [] }
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    let middles = HueBands.middles
    let settings = bands.enumerated().map { index, band in
      let previous = index == 0 ? middles[7] - 360 : middles[index - 1]
      let next = index == 7 ? 360 : middles[index + 1]
      let reach = band.hue > 0 ? next - middles[index] : middles[index] - previous
      return HueBands.Setting(
        turn: 0.6 * reach * band.hue / 100, saturation: band.saturation / 100,
        luminance: band.luminance / 100)
    }
    return [.kernel(ColourMixerKernel(bands: HueBands(settings)))]
  }
}

private struct ColourMixerKernel: ColourKernel {
  let space = ColourSpace.encoded
  let bands: HueBands

  func apply(to tile: ColourTile) {
    HueTile.forEach(of: tile, bands: bands) { part in
      for index in 0..<part.count {
        let (r, g, b) = (part.red[index], part.green[index], part.blue[index])
        let chroma = part.chroma[index]
        let weak = Hexagon.smaller(chroma, 1)
        let luma = Luma.of(r, g, b)
        let (darkening, lightening) = HueTile.lightness(
          part.luminance[index], chroma: weak, luma: luma)

        let saturation = part.saturation[index]
        let gain =
          1 + Hexagon.larger(saturation, 0) * (1 - weak) + Hexagon.smaller(saturation, 0)
        let strength = darkening * gain * chroma
        let grey = darkening * luma + lightening

        let hue = part.hue[index] + part.turn[index]
        let (red, green, blue) = (Hexagon.red(hue), Hexagon.green(hue), Hexagon.blue(hue))
        let ownLuma = Luma.of(red, green, blue)
        part.red[index] = grey + strength * (red - ownLuma)
        part.green[index] = grey + strength * (green - ownLuma)
        part.blue[index] = grey + strength * (blue - ownLuma)
      }
    }
  }
}
