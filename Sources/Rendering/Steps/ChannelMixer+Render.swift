import Adjustments

extension ChannelMixer: ColourRenderable {
  func colourStep() -> (any ColourStep)? {
    isNeutral ? nil : ChannelMixerStep(self)
  }
}

private struct ChannelMixerStep: ColourStep {
  let space = ColourSpace.encoded
  private let rows: [SIMD4<Float>]

  init(_ mixer: ChannelMixer) {
    rows = [mixer.red, mixer.green, mixer.blue].map {
      SIMD4(Float($0.red), Float($0.green), Float($0.blue), Float($0.constant))
    }
  }

  func apply(to tile: ColourTile) {
    let (forRed, forGreen, forBlue) = (rows[0], rows[1], rows[2])
    for index in 0..<tile.count {
      let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
      tile.red[index] = forRed.x * r + forRed.y * g + forRed.z * b + forRed.w
      tile.green[index] = forGreen.x * r + forGreen.y * g + forGreen.z * b + forGreen.w
      tile.blue[index] = forBlue.x * r + forBlue.y * g + forBlue.z * b + forBlue.w
    }
  }
}
