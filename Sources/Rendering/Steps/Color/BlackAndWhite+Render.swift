import SafelightAdjustments

extension BlackAndWhite: ColorRenderable {
  func colorSteps(in context: StepContext) -> [ColorStep] {
    guard amount > 0 else { return [] }
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    if toning == 0, bands.allSatisfy({ $0 == 0 }) {
      return [.matrix(Luma.saturating(by: 1 - amount / 100), in: .linear)]
    }
    let kernel = BlackAndWhiteKernel(
      bands: HueBands(bands.map { HueBands.Setting(luminance: $0 / 100) }),
      tint: Hexagon.tint(degrees: toningHue, strength: 0.25 * toning / 100),
      amount: Float(amount / 100))
    return [.kernel(kernel)]
  }
}

private struct BlackAndWhiteKernel: ColorKernel {
  let space = ColorSpace.encoded
  let dependsOnPlace = false
  let bands: HueBands
  let tint: (red: Float, green: Float, blue: Float)
  let amount: Float

  var keepsGray: Bool { tint == (0, 0, 0) }
  var makesGray: Bool { keepsGray && amount == 1 }

  func apply(to tile: ColorTile) {
    let tint = [tint.red, tint.green, tint.blue]
    let luminance = Luminance.shared
    tile.withCopy { light in
      luminance.linearize(light)
      withFloats(ColorTile.capacity) { memory in
        let tones = memory.baseAddress!
        luminance.tones(ofLight: light, to: tones)
        bands.withTable { kernels.gray_hues(tile.red, $0, tones, tint, Int32(tile.count)) }
      }
      guard amount < 1 else { return }
      luminance.linearize(tile)
      tile.forEachPlane { channel, plane in
        let before = light.red + channel * ColorTile.capacity
        for index in 0..<tile.count {
          plane[index] = before[index] + amount * (plane[index] - before[index])
        }
      }
      luminance.encode(tile)
    }
  }
}

/// The tones of colors by their luminance, which is the weighted sum of linear light.
private struct Luminance: Sendable {
  static let shared = Luminance()

  private let linearizing = CurveTable { SRGBTransfer.linear($0) }
  private let encoding = CurveTable { SRGBTransfer.encoded($0) }

  /// Converts encoded colors to linear light.
  func linearize(_ tile: ColorTile) {
    tile.forEachPlane { _, plane in linearizing.map(plane, count: tile.count) }
  }

  /// Converts linear light to encoded colors.
  func encode(_ tile: ColorTile) {
    tile.forEachPlane { _, plane in encoding.map(plane, count: tile.count) }
  }

  /// Writes the encoded luminance of each color of linear light.
  func tones(ofLight light: ColorTile, to tones: UnsafeMutablePointer<Float>) {
    for index in 0..<light.count {
      tones[index] = Luma.of(
        red: light.red[index], green: light.green[index], blue: light.blue[index])
    }
    encoding.map(tones, count: light.count)
  }
}
