import Adjustments

extension AppliedFilter: ColourRenderable {
  func colourStep() throws(RenderError) -> (any ColourStep)? {
    guard intensity > 0 else { return nil }
    var steps: [any ColourStep] = []
    for entry in self.steps.entries {
      if let step = try (entry.adjustment as? any ColourRenderable)?.colourStep() {
        steps.append(step)
      }
    }
    return steps.isEmpty ? nil : FilterStep(steps: steps, intensity: Float(intensity))
  }
}

/// A filter's steps on encoded values, mixed with what came in.
private struct FilterStep: ColourStep {
  let space = ColourSpace.encoded
  let steps: [any ColourStep]
  let intensity: Float

  func apply(to tile: ColourTile) {
    guard intensity < 1 else {
      for step in steps { step.apply(to: tile) }
      return
    }
    tile.withCopy { filtered in
      for step in steps { step.apply(to: filtered) }
      for (plane, filtered) in zip(tile.planes, filtered.planes) {
        for index in plane.indices {
          plane[index] += intensity * (filtered[index] - plane[index])
        }
      }
    }
  }
}
