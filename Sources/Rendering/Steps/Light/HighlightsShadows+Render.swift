import SafelightAdjustments

extension HighlightsShadows: GuidedRenderable, EarlierRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    steps(guidedBy: guide, keepingWhite: true)
  }

  func rendering(ofVersion version: Int) -> PlanItem? {
    version < 2 ? .guided(GrayingHighlightsShadows(current: self)) : nil
  }

  fileprivate func steps(guidedBy guide: ReducedPicture, keepingWhite: Bool) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let base = GuidedBase(guide.luma, radius: guide.radius(1 / 40.0), edge: 0.1)
    let dark = (shadows > 0 ? 3 : 0.7) * shadows / 100
    let bright = (highlights > 0 ? 1.5 : 0.3) * highlights / 100
    let kernel = BaseGainKernel(
      base: base, dark: Float(dark), bright: Float(bright),
      sparing: keepingWhite && bright < 0 ? 1 : 0)
    return [.kernel(kernel)]
  }
}

/// Version 1, which made white gray.
private struct GrayingHighlightsShadows: GuidedRenderable {
  let current: HighlightsShadows

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    current.steps(guidedBy: guide, keepingWhite: false)
  }
}

/// Multiplies each pixel by a gain that depends on the brightness around it.
private struct BaseGainKernel: ColorKernel {
  let space = ColorSpace.encoded
  let base: GuidedBase
  /// How much the gain in black surroundings is above 1.
  let dark: Float
  /// The factor of the gain in bright surroundings.
  let bright: Float
  /// 1 where white is spared, and otherwise 0.
  let sparing: Float

  func apply(to tile: ColorTile) {
    base.withValues(on: tile) { base in
      let (red, green, blue) = (tile.red, tile.green, tile.blue)
      let (dark, bright, sparing) = (dark, bright, sparing)
      for index in 0..<tile.count {
        let (r, g, b) = (red[index], green[index], blue[index])
        let tone = min(max(base[index], 0), 1)
        let down = max(1 - tone * (1 / 0.6), 0)
        let up = max((tone - 0.4) * (1 / 0.6), 0)
        let white = min(max(min(r, min(g, b)), 0), 1)
        let square = white * white
        let rest = 1 - sparing * (square * square) * (square * square)
        let gain =
          1 + dark * (down * down * down) + bright * rest * (up * up) * (3.2 - 2.6 * up)
        let top = min(max(max(r, max(g, b)), 0), 1)
        let factor = gain / (1 + max(gain - 1, 0) * top)
        red[index] = r * factor
        green[index] = g * factor
        blue[index] = b * factor
      }
    }
  }
}
