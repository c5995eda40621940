import SafelightAdjustments
import SafelightColorKernels

extension HighlightsShadows: GuidedRenderable {
  var actsOnEvenAreas: Bool { true }

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let areas = guide.local(.areas) { LocalLaplacian(areasOf: guide.luma) }
    return [.kernel(AreaGainKernel(areas: areas, gain: BaseGain(self)))]
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

  init(_ adjustment: HighlightsShadows) {
    let (highlights, shadows) = (adjustment.highlights, adjustment.shadows)
    dark = Float((shadows > 0 ? 3 : 0.7) * shadows / 100)
    bright = Float((highlights > 0 ? 1.5 : 0.45) * highlights / 100)
    sparing = bright < 0 ? 1 : 0
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
