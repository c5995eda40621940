/// One thing done to the color of each pixel, knowing that pixel alone and where it lies.
///
/// Runs of steps are compiled into one pass over the picture (``ColorProgram``): neighboring
/// curves become one table and neighboring matrices one matrix, so an adjustment should be a curve
/// or a matrix where it can.
enum ColorStep: Sendable {
  /// Each channel through a curve of its own.
  case curves(ChannelCurves, in: ColorSpace)
  /// Each channel from a mix of all three.
  case matrix(ColorMatrix, in: ColorSpace)
  /// Anything else.
  case kernel(any ColorKernel)

  /// What the step's numbers mean, going in and coming out.
  var space: ColorSpace {
    switch self {
    case .curves(_, let space), .matrix(_, let space): space
    case .kernel(let kernel): kernel.space
    }
  }

  /// The step for a picture whose first pixel is the one at (`left`, `top`) of the step's own.
  func moved(left: Int, top: Int) -> ColorStep {
    guard case .kernel(let kernel) = self else { return self }
    return .kernel(MovedKernel(kernel: kernel, left: left, top: top))
  }
}

/// A kernel whose picture has been cropped since.
private struct MovedKernel: ColorKernel {
  let kernel: any ColorKernel
  let left: Int
  let top: Int

  var space: ColorSpace { kernel.space }
  var dependsOnPlace: Bool { kernel.dependsOnPlace }

  func apply(to tile: ColorTile) {
    kernel.apply(to: ColorTile(tile.red, count: tile.count, x: tile.x + left, y: tile.y + top))
  }
}

/// A step that is neither a curve nor a matrix: a loop over a tile.
protocol ColorKernel: Sendable {
  /// What the numbers mean, going in and coming out.
  var space: ColorSpace { get }
  /// Whether the result depends on where a pixel lies, and not on its color alone.
  var dependsOnPlace: Bool { get }
  /// Works on a tile in place. Called from several threads at once, for different tiles; the
  /// result for a pixel must depend on its color and place alone, never on where the tile begins.
  func apply(to tile: ColorTile)
}

extension ColorKernel {
  /// Yes, unless a kernel says otherwise: wrongly yes is slow, wrongly no is wrong.
  var dependsOnPlace: Bool { true }
}

/// What the numbers of a tile mean between two steps.
enum ColorSpace: Sendable {
  /// Linear light with sRGB primaries; values below 0 and above 1 are colors outside sRGB.
  case linear
  /// The same colors through the sRGB transfer function, extended by symmetry.
  case encoded
}
