import SafelightAdjustments

extension Clarity: GuidedRenderable {
  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    guard !isNeutral else { return [] }
    let detail = Self.detail(of: guide, scale: context.scale)
    return [.kernel(ClarityKernel(detail: detail, strength: strength))]
  }

  private var strength: Float { Float(4 * (amount > 0 ? 1.2 : 0.8) * amount / 100) }

  /// The blurs that tell details from what lies around them, as shares of the longer side, with the
  /// most cells that each of them needs along it.
  private static let sizes = [
    (deviation: 1 / 200.0, cells: 512), (deviation: 1 / 60.0, cells: 128),
  ]

  /// How far the luma of each reduced pixel lies from the luma around it.
  ///
  /// - Parameter scale: The picture's pixels for one pixel of the full-size photo.
  private static func detail(of guide: ReducedPicture, scale: Double) -> ReducedMap {
    let small = guide.atOwnSize
    let calm = guide.luma.gaussian(
      inPicture: 0.9 * scale,
      of: PixelSize(width: guide.width * guide.factor, height: guide.height * guide.factor))
    let range = LocalLaplacian.Range(detail: 0.08, fall: 0.75)
    let pulls = sizes.map { size in
      small.local(.details(deviation: size.deviation)) {
        LocalLaplacian(small.luma, deviation: size.deviation, range: range, cells: size.cells)
      }.pull(at: calm)
    }
    let detail = zip(pulls[0], pulls[1]).map { -0.5 * ($0 + $1) }
    return guide.map(detail)
  }
}

/// Makes details stronger or weaker, by multiplying all channels; see `Clarity`.
private struct ClarityKernel: ColorKernel {
  let space = ColorSpace.encoded
  let keepsGray = true
  let detail: ReducedMap
  let strength: Float

  func apply(to tile: ColorTile) {
    withFloats(ColorTile.capacity) { memory in
      let row = memory.baseAddress!
      detail.sample(row, count: tile.count, x: tile.x, y: tile.y)
      kernels.clarify(tile.red, row, strength, Int32(tile.count))
    }
  }
}
