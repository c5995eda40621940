/// One thing done to the colour of each pixel, knowing that pixel alone and where it lies.
///
/// Runs of steps are compiled into one pass over the picture (``ColourProgram``): neighbouring
/// curves become one table and neighbouring matrices one matrix, so an adjustment should be a curve
/// or a matrix where it can.
enum ColourStep: Sendable {
  /// Each channel through a curve of its own.
  case curves(ChannelCurves, in: ColourSpace)
  /// Each channel from a mix of all three.
  case matrix(ColourMatrix, in: ColourSpace)
  /// Anything else.
  case kernel(any ColourKernel)

  /// What the step's numbers mean, going in and coming out.
  var space: ColourSpace {
    switch self {
    case .curves(_, let space), .matrix(_, let space): space
    case .kernel(let kernel): kernel.space
    }
  }

  /// The step for a picture whose first pixel is the one at (`left`, `top`) of the step's own.
  func moved(left: Int, top: Int) -> ColourStep {
    guard case .kernel(let kernel) = self else { return self }
    return .kernel(MovedKernel(kernel: kernel, left: left, top: top))
  }
}

/// A kernel whose picture has been cropped since.
private struct MovedKernel: ColourKernel {
  let kernel: any ColourKernel
  let left: Int
  let top: Int

  var space: ColourSpace { kernel.space }
  var dependsOnPlace: Bool { kernel.dependsOnPlace }

  func apply(to tile: ColourTile) {
    kernel.apply(to: ColourTile(tile.red, count: tile.count, x: tile.x + left, y: tile.y + top))
  }
}

/// A step that is neither a curve nor a matrix: a loop over a tile.
protocol ColourKernel: Sendable {
  /// What the numbers mean, going in and coming out.
  var space: ColourSpace { get }
  /// Whether the result depends on where a pixel lies, and not on its colour alone.
  var dependsOnPlace: Bool { get }
  /// Works on a tile in place. Called from several threads at once, for different tiles; the
  /// result for a pixel must depend on its colour and place alone, never on where the tile begins.
  func apply(to tile: ColourTile)
}

extension ColourKernel {
  /// Yes, unless a kernel says otherwise: wrongly yes is slow, wrongly no is wrong.
  var dependsOnPlace: Bool { true }
}

/// What the numbers of a tile mean between two steps.
enum ColourSpace: Sendable {
  /// Linear light with sRGB primaries; values below 0 and above 1 are colours outside sRGB.
  case linear
  /// The same colours through the sRGB transfer function, extended by symmetry.
  case encoded
}
