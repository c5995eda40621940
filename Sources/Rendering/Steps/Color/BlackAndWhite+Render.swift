import SafelightAdjustments

extension BlackAndWhite: SometimesGuidedRenderable {
  var isGuided: Bool { amount > 0 && JudgingBands.share(ofCalm: strongest) > 0 }

  func colorSteps(in context: StepContext) -> [ColorStep] { steps(guidedBy: nil) }

  func colorSteps(in context: StepContext, guidedBy guide: ReducedPicture) -> [ColorStep] {
    steps(guidedBy: guide)
  }

  private func steps(guidedBy guide: ReducedPicture?) -> [ColorStep] {
    guard amount > 0 else { return [] }
    if toning == 0, strongest == 0 {
      return [.matrix(Luma.saturating(by: 1 - amount / 100), in: .linear)]
    }
    let settings = bands.map { HueBands.Setting(luminance: $0 / 100) }
    let kernel = BlackAndWhiteKernel(
      bands: JudgingBands(HueBands(settings), strongest: strongest, guide: guide),
      tint: Hexagon.tint(degrees: toningHue, strength: 0.25 * toning / 100),
      amount: Float(amount / 100))
    return [.kernel(kernel)]
  }

  private var bands: [Double] { [red, orange, yellow, green, aqua, blue, purple, magenta] }

  private var strongest: Double { bands.map(abs).max() ?? 0 }
}

private struct BlackAndWhiteKernel: ColorKernel {
  let space = ColorSpace.linear
  let bands: JudgingBands
  let tint: (red: Float, green: Float, blue: Float)
  let amount: Float

  var dependsOnPlace: Bool { bands.lookAround }
  var cost: Double { bands.cost }
  var keepsGray: Bool { tint == (0, 0, 0) }
  var makesGray: Bool { keepsGray && amount == 1 }

  func apply(to tile: ColorTile) {
    let tint = [tint.red, tint.green, tint.blue]
    tile.withCopy { light in
      withFloats(ColorTile.capacity) { memory in
        let tones = memory.baseAddress!
        tile.luma(to: tones)
        ColorTile.encoding.map(tones, count: tile.count)
        bands.withTables(on: tile) {
          kernels.gray_hues(tile.red, $0, tones, tint, $1, Int32(tile.count))
        }
      }
      tile.linearize()
      guard amount < 1 else { return }
      tile.forEachPlane { channel, plane in
        let before = light.red + channel * ColorTile.capacity
        for index in 0..<tile.count {
          plane[index] = before[index] + amount * (plane[index] - before[index])
        }
      }
    }
  }
}
