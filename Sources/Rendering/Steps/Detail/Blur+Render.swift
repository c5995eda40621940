import SafelightAdjustments

extension Blur: FarReachingRenderable {
  func isGuided(in context: StepContext, factor: Int) -> Bool {
    let deviation = radius * context.scale
    return deviation > 8 && deviation >= 2.5 * Double(factor)
  }

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    let deviation = radius * context.scale
    guard deviation > 0 else { return [] }
    let channels = guide.channels.map { $0.gaussian(inPicture: deviation, of: context.size) }
    return [.kernel(ReplacingKernel(channels: channels))]
  }

  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)? {
    let deviation = radius * context.scale
    return deviation > 0 ? BlurStep(convolution: .gaussian(deviation)) : nil
  }
}

/// Replaces the colors of the picture by those of the reduced picture.
private struct ReplacingKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  let channels: [ReducedMap]

  func apply(to tile: ColorTile) {
    tile.forEachPlane { channel, plane in
      channels[channel].sample(plane, count: tile.count, x: tile.x, y: tile.y)
    }
  }
}

/// Blurs each channel.
private struct BlurStep: NeighborhoodStep {
  let convolution: Convolution

  var reach: Int { convolution.reach }

  func apply(_ input: PlanarPixels, to output: PlanarPixels) {
    for channel in 0..<3 {
      convolution.apply(
        input.plane(channel), stride: input.width, width: input.width, height: input.height,
        to: output.plane(channel))
    }
  }
}
