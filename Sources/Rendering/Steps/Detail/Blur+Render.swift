import Adjustments

extension Blur: FarReachingRenderable {
  func isGuided(in context: StepContext, factor: Int) -> Bool {
    let deviation = radius * context.scale
    return deviation > 8 && deviation >= 2.5 * Double(factor)
  }

  func colourSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColourStep] {
    let deviation = radius * context.scale
    guard deviation > 0 else { return [] }
    let size = (width: context.width, height: context.height)
    let channels = guide.channels.map { $0.gaussian(inPicture: deviation, of: size) }
    return [.kernel(ReplacingKernel(channels: channels))]
  }

  func neighbourhoodStep(in context: StepContext) -> (any NeighbourhoodStep)? {
    let deviation = radius * context.scale
    return deviation > 0 ? BlurStep(convolution: .gaussian(deviation)) : nil
  }
}

/// Shows the reduced picture's colours instead of the picture's own.
private struct ReplacingKernel: ColourKernel {
  let space = ColourSpace.encoded
  let channels: [ReducedMap]

  func apply(to tile: ColourTile) {
    tile.forEachPlane { channel, plane in
      channels[channel].sample(plane, count: tile.count, x: tile.x, y: tile.y)
    }
  }
}

/// Blurs each channel.
private struct BlurStep: NeighbourhoodStep {
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
