import SafelightAdjustments

extension Grain: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    amount == 0 ? [] : [.kernel(GrainKernel(self, scale: context.scale))]
  }
}

/// Adds noise to all channels alike, most in the mid-tones.
private struct GrainKernel: ColorKernel {
  let space = ColorSpace.encoded
  private let octaves: [LatticeNoise]

  init(_ grain: Grain, scale: Double) {
    let roughness = grain.roughness / 100
    // The 4 of 4 Y' (1 − Y') is in here, too.
    let strength = 4 * 0.08 * grain.amount / 100 / (1 + roughness * roughness).squareRoot()
    let seed = UInt32(truncatingIfNeeded: grain.seed)
    octaves = [(1, strength), (2, strength * roughness)].filter { $0.1 > 0 }.map {
      width, strength in
      LatticeNoise(
        cell: grain.size * Double(width), scale: scale, strength: strength,
        key: seed &+ 0x9E37_79B9 &* UInt32(width))
    }
  }

  func apply(to tile: ColorTile) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: tile.count) { memory in
      let noise = memory.baseAddress!
      noise.update(repeating: 0, count: tile.count)
      for octave in octaves { octave.add(to: noise, count: tile.count, x: tile.x, y: tile.y) }
      for index in 0..<tile.count {
        let (r, g, b) = (tile.red[index], tile.green[index], tile.blue[index])
        let luma = min(max(Luma.of(r, g, b), 0), 1)
        let grain = noise[index] * (luma * (1 - luma))
        tile.red[index] = r + grain
        tile.green[index] = g + grain
        tile.blue[index] = b + grain
      }
    }
  }
}
