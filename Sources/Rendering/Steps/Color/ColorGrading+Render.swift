import SafelightAdjustments
import SafelightColorKernels

extension ColorGrading: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    let tints = [shadows, midtones, highlights, global]
    guard tints.contains(where: { $0.saturation > 0 || $0.luminance != 0 }) else { return [] }
    return [.kernel(ColorGradingKernel(self))]
  }
}

private struct ColorGradingKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  private let grading: SafelightGrading

  init(_ grading: ColorGrading) {
    func gain(_ tint: ColorGrading.Tint) -> SIMD4<Float> {
      let color = Hexagon.tint(degrees: tint.hue, strength: 0.3 * tint.saturation / 100)
      return SIMD4(color.red, color.green, color.blue, Float(0.8 * tint.luminance / 100))
    }
    func numbers(_ gain: SIMD4<Float>) -> (Float, Float, Float, Float) {
      (gain.x, gain.y, gain.z, gain.w)
    }
    let middle = gain(grading.midtones)
    let border = 0.5 - 0.3 * grading.balance / 100
    let reach = 0.2 + 0.3 * grading.blending / 100
    self.grading = SafelightGrading(
      midtones: numbers(middle + gain(grading.global)),
      shadows: numbers(gain(grading.shadows) - middle),
      highlights: numbers(gain(grading.highlights) - middle),
      shadows_end: Float(0.6 * border - reach),
      highlights_start: Float(1 - 0.6 * (1 - border) - reach), steepness: Float(1 / (2 * reach)))
  }

  func apply(to tile: ColorTile) {
    withUnsafePointer(to: grading) { kernels.grade(tile.red, $0, Int32(tile.count)) }
  }
}
