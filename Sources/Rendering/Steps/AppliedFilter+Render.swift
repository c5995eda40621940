import Adjustments

extension AppliedFilter: ColourRenderable {
  func colourSteps(in context: StepContext) -> [ColourStep] {
    guard intensity > 0 else { return [] }
    let steps = self.steps.entries.flatMap {
      ($0.adjustment as? any ColourRenderable)?.colourSteps(in: context) ?? []
    }
    guard intensity < 1, !steps.isEmpty else { return steps }
    let fused = ColourProgram.fused(steps, from: .encoded, to: .encoded)
    return [.kernel(MixKernel(program: ColourProgram(fused), share: Float(intensity)))]
  }
}

/// Steps on encoded values, mixed with what came in.
private struct MixKernel: ColourKernel {
  let space = ColourSpace.encoded
  let program: ColourProgram
  /// How much of the result is the steps': 0 to 1.
  let share: Float

  func apply(to tile: ColourTile) {
    tile.withCopy { filtered in
      program.run(on: filtered)
      mix(tile.red, filtered.red, tile.count)
      mix(tile.green, filtered.green, tile.count)
      mix(tile.blue, filtered.blue, tile.count)
    }
  }

  private func mix(
    _ plane: UnsafeMutablePointer<Float>, _ filtered: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    for index in 0..<count { plane[index] += share * (filtered[index] - plane[index]) }
  }
}
