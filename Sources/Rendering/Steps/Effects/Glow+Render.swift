import SafelightAdjustments

extension Glow: GuidedRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let dark = Float(threshold / 100)
    let weights = guide.luma.values.map { luma in
      let share = min(max((luma - dark) / (1 - dark), 0), 1)
      return share * share * (3 - 2 * share)
    }
    let deviation = radius / 100 * Double(context.size.longestSide)
    let size = PixelSize(width: guide.width * guide.factor, height: guide.height * guide.factor)
    let light = guide.channels.map { channel in
      let bright = zip(channel.values, weights).map { min(max($0, 0), 1) * $1 }
      return channel.with(bright).gaussian(inPicture: deviation, of: size)
    }
    return [.kernel(GlowKernel(light: light, amount: Float(amount / 100)))]
  }
}

/// Blends light over the picture in the mode “screen”.
private struct GlowKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  /// Red, green and blue.
  let light: [ReducedMap]
  let amount: Float

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let row = memory.baseAddress!
      let (count, amount) = (tile.count, amount)
      tile.forEachPlane { channel, plane in
        light[channel].sample(row, count: count, x: tile.x, y: tile.y)
        for index in 0..<count {
          plane[index] += amount * row[index] * max(1 - plane[index], 0)
        }
      }
    }
  }
}
