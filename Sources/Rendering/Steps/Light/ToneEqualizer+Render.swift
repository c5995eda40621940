import Glibc
import SafelightAdjustments

extension ToneEqualizer: GuidedRenderable {
  var actsOnEvenAreas: Bool { true }

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let areas = guide.local(.areasOfLight) {
      var gray = guide
      gray.apply([.matrix(Luma.saturating(by: 0), in: .linear)])
      return LocalLaplacian(areasOf: gray.map(gray.planes[0]))
    }
    let stops = MonotoneCubic(
      ToneCurve.Curve(orderedZones.enumerated().map { .init(Double($0.offset - 8), $0.element) }))
    let gains = CurveTable(negatives: false) { base in
      exp2(stops(log2(SRGBTransfer.linear(base))))
    }
    return [.kernel(ZoneGainKernel(areas: areas, gains: gains))]
  }

  /// The stops nearest to those of the zones with which tones keep their order.
  ///
  /// With a number added that rises from zone to zone, the stops must never fall: isotonic
  /// regression by pooling neighbors. Source: R. E. Barlow et al., "Statistical Inference under
  /// Order Restrictions", 1972.
  var orderedZones: [Double] {
    let steepest = 0.45
    var pools: [(sum: Double, count: Int)] = []
    for (index, stops) in zones.enumerated() {
      pools.append((stops + steepest * Double(index), 1))
      while pools.count > 1 {
        let (last, before) = (pools[pools.count - 1], pools[pools.count - 2])
        guard last.sum / Double(last.count) < before.sum / Double(before.count) else { break }
        pools.removeLast(2)
        pools.append((before.sum + last.sum, before.count + last.count))
      }
    }
    let risen = pools.flatMap {
      [Double](repeating: $0.sum / Double($0.count), count: $0.count)
    }
    return risen.enumerated().map { index, sum in
      // Zones that may stay must stay exactly.
      let stops = sum - steepest * Double(index)
      return abs(stops - zones[index]) < 1e-9 ? zones[index] : stops
    }
  }
}

/// Multiplies the light of each pixel by the gain of its zone; see `ToneEqualizer`.
private struct ZoneGainKernel: ColorKernel {
  /// From light to encoded tones.
  private static let encoding = CurveTable { SRGBTransfer.encoded($0) }

  let space = ColorSpace.linear
  let keepsGray = true
  let cost = 8.0
  let areas: LocalLaplacian
  /// From bases to gains.
  let gains: CurveTable

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let gains = memory.baseAddress!
      tile.luma(to: gains)
      Self.encoding.map(gains, count: tile.count)
      areas.draw(gains, of: tile)
      self.gains.map(gains, count: tile.count)
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      for index in 0..<tile.count {
        let (r, g, b) = (red[index], green[index], blue[index])
        let gain = gains[index]
        let top = max(r, max(g, b))
        let above = gain * top - 0.5
        let room = max(above, 0)
        let mapped = 0.5 + room / (1 + (2 - 1 / (max(gain, 1) - 0.5)) * room)
        let factor = gain > 1 && above > 0 ? mapped / top : gain
        red[index] = r * factor
        green[index] = g * factor
        blue[index] = b * factor
      }
    }
  }
}
