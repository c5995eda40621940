import SafelightAdjustments

extension RenderOutput {
  /// What a picture is sharpened for, once it has its size.
  public enum Sharpening: String, Sendable, Hashable, CaseIterable, Codable, ParameterValue {
    /// Nothing: the picture is as the reduction leaves it.
    case none
    /// Screens, which show each pixel.
    case screen
    /// Prints on matte paper, whose ink spreads.
    case matte
    /// Prints on glossy paper.
    case glossy
  }
}

/// Sharpens lightness for how a picture is looked at, in pixels of the output.
///
/// Adds a share of the difference between luma and luma blurred by a Gaussian to all channels, so that colors keep their
/// differences. The luma of a pixel then leaves the range of the nine pixels around it by at most a fiftieth of that range,
/// so no halo is seen.
///
/// Sources: unsharp masking as in W. K. Pratt, "Digital Image Processing"; the limit is that of LimitedSharpen, a script
/// for AviSynth. The numbers were measured on photos of 12 to 24 megapixels at 1,600 pixels, by
/// `Tests/Benchmarks/sharpness.py`: the mean gradient of L* grows by 1.08 to 1.13 over Lanczos's reduction for screens, by
/// 1.11 to 1.18 for glossy and 1.14 to 1.22 for matte paper.
struct OutputSharpening: NeighborhoodRenderable {
  let kind: RenderOutput.Sharpening
  /// How much larger the picture was made, along a side; 1 for one that was not.
  var enlargement = 1.0

  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)? {
    let (deviation, amount): (Double, Float)
    switch kind {
    case .none: return nil
    case .screen: (deviation, amount) = (0.6, 1)
    case .glossy: (deviation, amount) = (0.7, 1.2)
    case .matte: (deviation, amount) = (0.8, 1.4)
    }
    return OutputSharpeningStep(
      convolution: .gaussian(deviation * max(enlargement, 1)), amount: amount)
  }
}

private struct OutputSharpeningStep: NeighborhoodStep {
  /// How far luma may leave the range around it, as a share of the range.
  private static let overshoot: Float = 0.02

  let convolution: Convolution
  let amount: Float

  var reach: Int { convolution.reach }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    let (width, height, stride) = (output.width, output.height, input.width)
    let all = input.width * input.height
    withFloats(all + width * height) { memory in
      let luma = memory.baseAddress!
      let blurred = luma + all
      input.luma(to: luma)
      convolution.apply(luma, stride: stride, width: stride, height: input.height, to: blurred)
      for y in 0..<height {
        let start = (y + reach) * stride + reach
        for x in 0..<width {
          let middle = luma + start + x
          var (low, high) = (middle[0], middle[0])
          for row in -1...1 {
            for column in -1...1 {
              let other = middle[row * stride + column]
              low = min(low, other)
              high = max(high, other)
            }
          }
          let room = Self.overshoot * (high - low)
          let wanted = middle[0] + amount * (middle[0] - blurred[y * width + x])
          let change = min(max(wanted, low - room), high + room) - middle[0]
          for channel in 0..<3 {
            output.plane(channel)[y * width + x] = input.plane(channel)[start + x] + change
          }
        }
      }
    }
  }
}
