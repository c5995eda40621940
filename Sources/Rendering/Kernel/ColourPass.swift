import Vips

/// A run of colour steps compiled into one pass: decode a tile, apply every step, encode it.
///
/// Conversions between linear and encoded values stand only where two neighbours disagree, so a
/// filter on an sRGB photo never leaves encoded values.
struct ColourPass: Sendable {
  private enum Instruction: Sendable {
    case step(any ColourStep)
    case linearise
    case encode
  }

  private let instructions: [Instruction]
  private let input: PixelCoding
  private let output: PixelCoding

  /// Compiles steps between the way the photo is coded and the way the render will be.
  init(_ steps: [any ColourStep], from input: PixelCoding, to output: PixelCoding) {
    self.input = input
    self.output = output
    var instructions: [Instruction] = []
    var space = input.nativeSpace
    func move(to wanted: ColourSpace) {
      switch (space, wanted) {
      case (.encoded, .linear): instructions.append(.linearise)
      case (.linear, .encoded): instructions.append(.encode)
      case (.linear, .linear), (.encoded, .encoded): break
      }
      space = wanted
    }
    for step in steps {
      move(to: step.space)
      instructions.append(.step(step))
    }
    move(to: output.nativeSpace)
    self.instructions = instructions
  }

  /// The image with the pass laid over it; pixels are made when they are asked for.
  ///
  /// - Parameter wide: Whether the result has 16 bits a channel instead of 8.
  func applied(to image: Image, wide: Bool) throws(VipsError) -> Image {
    let decoder = PixelDecoder(
      input, bands: image.bands, isWide: image.sampleFormat == .uint16)
    let encoder = PixelEncoder(output, isWide: wide)
    return try image.mappingScanlines(bands: 3, format: wide ? .uint16 : .uint8) { line in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * ColourTile.capacity) { memory in
        for start in stride(from: 0, to: line.count, by: ColourTile.capacity) {
          let count = min(ColourTile.capacity, line.count - start)
          let tile = ColourTile(memory, count: count)
          decoder.decode(line.input, from: start, into: tile)
          run(on: tile)
          encoder.encode(tile, to: line.output, from: start)
        }
      }
    }
  }

  private func run(on tile: ColourTile) {
    for instruction in instructions {
      switch instruction {
      case .step(let step): step.apply(to: tile)
      case .linearise: for plane in tile.planes { SRGBTransfer.decodeTable.map(plane, odd: true) }
      case .encode: for plane in tile.planes { SRGBTransfer.encodeTable.map(plane, odd: true) }
      }
    }
  }
}
