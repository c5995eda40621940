import SafelightAdjustments

/// Version 1 of `NoiseReduction`, which smoothed as strongly in every photo.
///
/// With luma Y' (BT.709 weights) and the color differences R − Y' and B − Y', each through a guided
/// filter with itself as the guide (He, Sun and Tang, "Guided Image Filtering", IEEE TPAMI 35,
/// 2013): with means E over a square window,
///
///     a = v / (v + ε²),  v = max(E(p²) − E(p)², 0),  c = E(p) (1 − a),  out = E(a) p + E(c)
///
/// For luma the window reaches 4 pixels of the full-size photo to each side, for color 8; ε is
/// luminance / 100 × 0.07 × (1 − 0.8 × detail / 100) for luma and color / 100 × 0.12 for color. In
/// a preview both reaches shrink with the picture; the outermost pixels of a window count by the
/// fraction that the window covers, and a reach below 0.3 does nothing.
struct SmoothingNoiseReduction: NeighborhoodRenderable {
  let current: NoiseReduction

  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)? {
    let (luminance, color, detail) = (current.luminance, current.color, current.detail)
    func filter(_ radius: Double, _ edge: Double) -> SelfGuidedFilter? {
      let radius = radius * context.scale
      guard radius >= 0.3, edge > 0 else { return nil }
      return SelfGuidedFilter(window: .box(radius), edge: Float(edge))
    }
    let luma = filter(4, 0.07 * luminance / 100 * (1 - 0.8 * detail / 100))
    let chroma = filter(8, 0.12 * color / 100)
    return luma == nil && chroma == nil ? nil : SmoothingStep(luma: luma, chroma: chroma)
  }
}

/// Smooths luma and the two color differences separately.
private struct SmoothingStep: NeighborhoodStep {
  let luma: SelfGuidedFilter?
  let chroma: SelfGuidedFilter?

  var reach: Int { max(luma?.reach ?? 0, chroma?.reach ?? 0) }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let (all, inside) = (input.width * input.height, output.width * output.height)
    withFloats(2 * all + inside) { memory in
      let bright = memory.baseAddress!
      let difference = bright + all
      let smooth = difference + all
      input.luma(to: bright)
      for channel in [0, 2] {
        let (plane, result) = (input.plane(channel), output.plane(channel))
        for index in 0..<all { difference[index] = plane[index] - bright[index] }
        self.smooth(difference, by: chroma, of: input, to: result, of: output)
      }
      self.smooth(bright, by: luma, of: input, to: smooth, of: output)
      let (red, green, blue) = (output.red, output.green, output.blue)
      for index in 0..<inside {
        let (redness, blueness, luma) = (red[index], blue[index], smooth[index])
        red[index] = luma + redness
        green[index] = luma - (0.2126 * redness + 0.0722 * blueness) * (1 / 0.7152)
        blue[index] = luma + blueness
      }
    }
  }

  /// Smooths a plane with its border; copies it when there is no filter.
  private func smooth(
    _ plane: UnsafePointer<Float>, by filter: SelfGuidedFilter?, of input: PlanarPixels,
    to result: UnsafeMutablePointer<Float>, of output: PlanarPixels
  ) {
    let border = reach - (filter?.reach ?? 0)
    let start = plane + border * (input.width + 1)
    guard let filter else {
      for y in 0..<output.height {
        (result + y * output.width).update(from: start + y * input.width, count: output.width)
      }
      return
    }
    filter.apply(
      start, stride: input.width, width: output.width, height: output.height, to: result)
  }
}

/// A guided filter whose guide is its own input, with means over a window.
private struct SelfGuidedFilter: Sendable {
  let window: Convolution
  let edge: Float

  /// Twice the reach of the window, for means of means.
  var reach: Int { 2 * window.reach }

  /// Filters `width × height` numbers. `input` begins ``reach`` columns and rows before them.
  func apply(
    _ input: UnsafePointer<Float>, stride: Int, width: Int, height: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    let (wide, high) = (width + 2 * reach, height + 2 * reach)
    let (middleWide, middleHigh) = (width + reach, height + reach)
    let (all, middle, inside) = (wide * high, middleWide * middleHigh, width * height)
    withFloats(all + 2 * middle + inside) { memory in
      let squares = memory.baseAddress!
      let slopes = squares + all
      let offsets = slopes + middle
      let slope = offsets + middle
      for y in 0..<high {
        let (row, square) = (input + y * stride, squares + y * wide)
        for x in 0..<wide { square[x] = row[x] * row[x] }
      }
      window.apply(input, stride: stride, width: wide, height: high, to: offsets)
      window.apply(squares, stride: wide, width: wide, height: high, to: slopes)
      let noise = edge * edge
      for index in 0..<middle {
        let mean = offsets[index]
        let variance = max(slopes[index] - mean * mean, 0)
        let share = variance / (variance + noise)
        slopes[index] = share
        offsets[index] = mean * (1 - share)
      }
      window.apply(slopes, stride: middleWide, width: middleWide, height: middleHigh, to: slope)
      window.apply(offsets, stride: middleWide, width: middleWide, height: middleHigh, to: output)
      for y in 0..<height {
        let row = input + (y + reach) * stride + reach
        let (factor, result) = (slope + y * width, output + y * width)
        for x in 0..<width { result[x] = factor[x] * row[x] + result[x] }
      }
    }
  }
}
