import SafelightAdjustments

extension Sharpen: NeighborhoodRenderable {
  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)? {
    let deviation = radius * context.scale
    guard amount != 0, deviation >= 0.3 else { return nil }
    return SharpenStep(
      convolution: .gaussian(deviation), amount: Float(amount / 100),
      threshold: Float(threshold / 255))
  }
}

/// Adds the difference between luma and blurred luma to every pixel.
private struct SharpenStep: NeighborhoodStep {
  let convolution: Convolution
  let amount: Float
  let threshold: Float

  var reach: Int { convolution.reach }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let (width, height) = (output.width, output.height)
    let (all, inside) = (input.width * input.height, width * height)
    withFloats(all + inside) { memory in
      let luma = memory.baseAddress!
      let blurred = luma + all
      input.luma(to: luma)
      convolution.apply(
        luma, stride: input.width, width: input.width, height: input.height, to: blurred)
      // At least a tiny number, because 0 must not be divided by 0.
      let limit = max(threshold * threshold, 1e-12)
      for y in 0..<height {
        let start = (y + reach) * input.width + reach
        let difference = blurred + y * width
        kernels.find_edges(luma + start, amount, limit, difference, Int32(width))
        output.add(difference, row: y, to: input, from: start)
      }
    }
  }
}

extension PlanarPixels {
  /// Fills a row with pixels of another picture, from its pixel `start` on, and adds a number to
  /// all channels of each pixel.
  fileprivate func add(
    _ change: UnsafePointer<Float>, row: Int, to other: PlanarPixels, from start: Int
  ) {
    let width = width
    for channel in 0..<3 {
      let result = plane(channel) + row * width
      let source = other.plane(channel) + start
      for x in 0..<width { result[x] = source[x] + change[x] }
    }
  }
}
