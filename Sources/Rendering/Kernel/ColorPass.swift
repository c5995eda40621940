import SafelightVips

/// Color steps compiled into one pass over a picture: decode a tile, run the program, encode it.
struct ColorPass: Sendable {
  /// What the samples of a picture mean, before or after a pass.
  enum Pixels: Sendable {
    /// Whole numbers of a file.
    case codes(PixelCoding, isWide: Bool)
    /// Floats between two passes, in encoded extended sRGB.
    case float

    fileprivate var format: Image.SampleFormat {
      switch self {
      case .codes(_, isWide: false): .uint8
      case .codes(_, isWide: true): .uint16
      case .float: .float
      }
    }

    fileprivate var space: ColorSpace {
      switch self {
      case .codes(let coding, _): coding.nativeSpace
      case .float: .encoded
      }
    }
  }

  private let program: ColorProgram
  private let leading: ChannelCurves?
  private let input: Pixels
  private let output: Pixels

  /// Compiles steps between the way a picture is stored and the way it will be.
  init(_ steps: [ColorStep], from input: Pixels, to output: Pixels) {
    self.input = input
    self.output = output
    var fused = ColorProgram.fused(steps, from: input, to: output)
    // Curves right after the codes are exact and free: one entry for each code.
    if case .codes = input, case .curves(let curves, _)? = fused.first {
      leading = curves
      fused.removeFirst()
      program = ColorProgram(fused)
    } else {
      leading = nil
      program = ColorProgram(fused, negatives: input.format == .float)
    }
  }

  /// The image with the pass laid over it; pixels are made when they are asked for.
  func applied(to image: Image) throws(VipsError) -> Image {
    let row = rowFunction(for: image)
    return try image.mappingScanlines(bands: 3, format: output.format) { line in
      row(line.input, line.output, line.count, line.x, line.y)
    }
  }

  /// What the pass does to a run of pixels of one row: where they are, where the results go, how
  /// many, and the column and row of the first.
  typealias RowFunction =
    @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int, Int, Int) -> Void

  /// The pass for a picture, remembering what colors become where that is faster than computing it
  /// again for each pixel.
  func rowFunction(for image: Image) -> RowFunction {
    let row = rowFunction(bands: image.bands)
    guard input.format == .uint8, output.format == .uint8, image.bands == 3,
      !program.dependsOnPlace, program.cost > ColorMemory.cost,
      image.width * image.height > ColorMemory.leastPixels, let memory = ColorMemory(row)
    else { return row }
    return { input, output, count, _, _ in memory.map(input, to: output, count: count) }
  }

  private func rowFunction(bands: Int) -> RowFunction {
    let decoder = PixelDecoder(input.format, bands: bands, through: leading)
    let encoder = PixelEncoder(format: output.format)
    let program = program
    return { input, output, count, x, y in
      ColorTile.withMemory { memory in
        for start in stride(from: 0, to: count, by: ColorTile.capacity) {
          let tile = ColorTile(
            memory, count: min(ColorTile.capacity, count - start), x: x + start, y: y)
          decoder.decode(input, from: start, into: tile)
          program.run(on: tile)
          encoder.encode(tile, to: output, from: start)
        }
      }
    }
  }
}

extension ColorProgram {
  /// ``fused(_:from:to:)-space`` with the decoding and encoding of a picture's codes around it.
  fileprivate static func fused(
    _ steps: [ColorStep], from input: ColorPass.Pixels, to output: ColorPass.Pixels
  ) -> [ColorStep] {
    var all = steps
    var first = input.space
    if case .codes(let coding, _) = input {
      // Codes of a profile are no colors yet: what decodes them says where colors begin.
      first = coding.decoding.first?.space ?? first
      all = coding.decoding + all
    }
    if case .codes(let coding, _) = output { all += coding.encoding }
    return fused(all, from: first, to: output.space)
  }
}
