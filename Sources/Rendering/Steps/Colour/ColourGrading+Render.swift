import Adjustments

extension ColourGrading: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    let tints = [shadows, midtones, highlights, global]
    guard tints.contains(where: { $0.saturation > 0 || $0.luminance != 0 }) else { return [] }
    return [.kernel(ColourGradingKernel(self))]
  }
}

private struct ColourGradingKernel: ColourKernel {
  let space = ColourSpace.encoded
  /// What the mid-tones get, global included.
  private let midtones: SIMD4<Float>
  /// What the shadows get besides, and the highlights: red, green, blue and luminance.
  private let shadows, highlights: SIMD4<Float>
  /// Where the shadows begin to fade, and the highlights to show.
  private let shadowsEnd, highlightsStart: Float
  /// One over the width of these borders.
  private let steepness: Float

  init(_ grading: ColourGrading) {
    func gain(_ tint: ColourGrading.Tint) -> SIMD4<Float> {
      let colour = Hexagon.tint(degrees: tint.hue, strength: 0.3 * tint.saturation / 100)
      return SIMD4(colour.red, colour.green, colour.blue, Float(0.8 * tint.luminance / 100))
    }
    let middle = gain(grading.midtones)
    midtones = middle + gain(grading.global)
    shadows = gain(grading.shadows) - middle
    highlights = gain(grading.highlights) - middle
    let border = 0.5 - 0.3 * grading.balance / 100
    let reach = 0.2 + 0.3 * grading.blending / 100
    shadowsEnd = Float(0.6 * border - reach)
    highlightsStart = Float(1 - 0.6 * (1 - border) - reach)
    steepness = Float(1 / (2 * reach))
  }

  func apply(to tile: ColourTile) {
    let (middle, dark, light) = (midtones, shadows, highlights)
    let (shadowsEnd, highlightsStart, steepness) = (shadowsEnd, highlightsStart, steepness)
    for index in 0..<tile.count {
      let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
      let tone = Hexagon.limited(Luma.of(r, g, b))
      let darkness = 1 - Self.smoothStep(steepness * (tone - shadowsEnd))
      let lightness = Self.smoothStep(steepness * (tone - highlightsStart))
      let room = Hexagon.room(forTintAt: tone)
      let lift =
        tone * (1 - tone) * (middle.w + darkness * dark.w + lightness * light.w)
      tile.red[index] = r + lift + room * (middle.x + darkness * dark.x + lightness * light.x)
      tile.green[index] = g + lift + room * (middle.y + darkness * dark.y + lightness * light.y)
      tile.blue[index] = b + lift + room * (middle.z + darkness * dark.z + lightness * light.z)
    }
  }

  /// 0 up to 0, 1 from 1 on, and 3x² − 2x³ between.
  @inline(__always)
  private static func smoothStep(_ position: Float) -> Float {
    let x = Hexagon.limited(position)
    return x * x * (3 - 2 * x)
  }
}
