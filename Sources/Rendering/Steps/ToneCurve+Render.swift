import Adjustments

extension ToneCurve: ColourRenderable {
  func colourStep() -> (any ColourStep)? {
    isNeutral ? nil : ToneCurveStep(self)
  }
}

/// Tables for the three channels, each the composite curve followed by the channel's own.
private struct ToneCurveStep: ColourStep {
  let space = ColourSpace.encoded
  private let tables: [CurveTable]

  init(_ curve: ToneCurve) {
    let all = MonotoneCubic(curve.all)
    tables = [curve.red, curve.green, curve.blue].map { channel in
      let own = MonotoneCubic(channel)
      return CurveTable { own(all($0)) }
    }
  }

  func apply(to tile: ColourTile) {
    for (plane, table) in zip(tile.planes, tables) { table.map(plane) }
  }
}
