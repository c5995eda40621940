import SafelightAdjustments

extension Clarity: GuidedRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let base = GuidedBase(guide.luma, radius: guide.radius(1 / 60.0), edge: 0.15)
    let strength = 4 * (amount > 0 ? 1.2 : 0.8) * amount / 100
    return [.kernel(ClarityKernel(base: base, strength: Float(strength)))]
  }
}

/// Moves luma away from its base or towards it, by multiplying all channels.
private struct ClarityKernel: ColorKernel {
  let space = ColorSpace.encoded
  let base: GuidedBase
  let strength: Float

  func apply(to tile: ColorTile) {
    base.withValues(on: tile) { base in
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      let strength = strength
      for index in 0..<tile.count {
        let (r, g, b) = (red[index], green[index], blue[index])
        let luma = Luma.of(red: r, green: g, blue: b)
        let change = strength * min(max(1 - luma, 0), 1) * (luma - base[index])
        let factor = (1 + max(change, 0)) / (1 - min(change, 0))
        red[index] = r * factor
        green[index] = g * factor
        blue[index] = b * factor
      }
    }
  }
}
