import SafelightAdjustments
import SafelightColorKernels

extension HighlightsShadows: GuidedRenderable, EarlierRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let areas = guide.local(.areas) { LocalLaplacian(areasOf: guide.luma) }
    return [.kernel(AreaGainKernel(areas: areas, gain: BaseGain(self, keepingWhite: true)))]
  }

  func rendering(ofVersion version: Int) -> PlanItem? {
    version < 3
      ? .guided(GuidedHighlightsShadows(current: self, keepingWhite: version == 2)) : nil
  }
}

/// The gain of a pixel by its base.
private struct BaseGain {
  /// How much the gain in black surroundings is above 1.
  let dark: Float
  /// The factor of the gain in bright surroundings.
  let bright: Float
  /// 1 where white is spared, and otherwise 0.
  let sparing: Float

  init(_ adjustment: HighlightsShadows, keepingWhite: Bool) {
    let (highlights, shadows) = (adjustment.highlights, adjustment.shadows)
    dark = Float((shadows > 0 ? 3 : 0.7) * shadows / 100)
    bright = Float((highlights > 0 ? 1.5 : 0.3) * highlights / 100)
    sparing = keepingWhite && bright < 0 ? 1 : 0
  }

  /// Multiplies each pixel of a tile.
  ///
  /// - Parameter base: The brightness around each pixel.
  func apply(to tile: ColorTile, base: UnsafePointer<Float>) {
    kernels.gain_areas(tile.red, base, dark, bright, sparing, Int32(tile.count))
  }
}

/// Multiplies each pixel by a gain that depends on its base; see `HighlightsShadows`.
private struct AreaGainKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  let areas: LocalLaplacian
  let gain: BaseGain

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let base = memory.baseAddress!
      tile.luma(to: base)
      areas.draw(base, of: tile)
      gain.apply(to: tile, base: base)
    }
  }
}

/// Versions 1 and 2, whose base was a guided filter. Version 1 made white gray.
private struct GuidedHighlightsShadows: GuidedRenderable {
  let current: HighlightsShadows
  let keepingWhite: Bool

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    let base = GuidedBase(guide.luma, radius: guide.radius(1 / 40.0), edge: 0.1)
    let gain = BaseGain(current, keepingWhite: keepingWhite)
    return [.kernel(GuidedGainKernel(base: base, gain: gain))]
  }
}

private struct GuidedGainKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  let base: GuidedBase
  let gain: BaseGain

  func apply(to tile: ColorTile) {
    base.withValues(on: tile) { gain.apply(to: tile, base: $0) }
  }
}
