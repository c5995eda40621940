import Glibc
import SafelightColorKernels
import SafelightVips
import Synchronization

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

  /// Compiles steps, from the way the input is stored to the way the output will be stored.
  init(_ steps: [ColorStep], from input: Pixels, to output: Pixels) {
    self.input = input
    self.output = output
    var fused = ColorProgram.fused(steps, from: input, to: output)
    // Curves right after the decoding are exact and cost nothing: one entry for each code.
    if case .codes = input, case .curves(let curves, _)? = fused.first {
      leading = curves
      fused.removeFirst()
      program = ColorProgram(fused)
    } else {
      leading = nil
      program = ColorProgram(fused, negatives: input.format == .float)
    }
  }

  /// The image after the pass. Its pixels are computed when they are read.
  func applied(to image: Image) throws(VipsError) -> Image {
    try image.mappingScanlines(bands: 3, format: output.format, body: rowFunction(for: image))
  }

  /// What the pass does to a run of pixels of one row.
  typealias RowFunction = @Sendable (Scanline) -> Void

  /// The pass for a picture. Where it is faster, the pass remembers the result of each color
  /// instead of computing it again for each pixel.
  func rowFunction(for image: Image) -> RowFunction {
    let row = rowFunction(bands: image.bands)
    guard input.format == .uint8, output.format == .uint8, image.bands == 3,
      !program.dependsOnPlace, program.cost > ColorMemory.cost,
      image.width * image.height > ColorMemory.leastPixels, let memory = ColorMemory(row)
    else { return row }
    return { memory.map($0) }
  }

  private func rowFunction(bands: Int) -> RowFunction {
    let decoder = PixelDecoder(input.format, bands: bands, through: leading)
    let encoder = PixelEncoder(format: output.format)
    let program = program
    return { line in
      ColorTile.withMemory { memory in
        for start in stride(from: 0, to: line.count, by: ColorTile.capacity) {
          let tile = ColorTile(
            memory, count: min(ColorTile.capacity, line.count - start), x: line.x + start, y: line.y
          )
          decoder.decode(line.input, from: start, into: tile)
          program.run(on: tile)
          encoder.encode(tile, to: line.output, from: start)
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
      // Codes of a profile are not colors yet: the first decoding step says which space they enter.
      first = coding.decoding.first?.space ?? first
      all = coding.decoding + all
    }
    if case .codes(let coding, _) = output { all += coding.encoding }
    return fused(all, from: first, to: output.space)
  }
}

/// How the whole numbers of a file stand for colors.
enum PixelCoding: Sendable {
  /// sRGB codes, as in a photo without a profile.
  case sRGB
  /// Codes of a profile of curves and a matrix.
  case matrix(MatrixProfile)
  /// Gray codes of a profile; pixels have one band.
  case gray(ToneResponse)

  /// The space that decoding gives without a further conversion.
  var nativeSpace: ColorSpace {
    switch self {
    case .sRGB: .encoded
    case .matrix, .gray: .linear
    }
  }

  /// From codes, as shares of the largest code, to colors in ``nativeSpace``.
  var decoding: [ColorStep] {
    switch self {
    case .sRGB: []
    case .matrix(let profile):
      [.curves(profile.linearizing, in: .linear), .matrix(profile.toSRGB, in: .linear)]
    case .gray(let response): [.curves(ChannelCurves { response.linear($0) }, in: .linear)]
    }
  }

  /// From colors in ``nativeSpace`` to codes, as shares of the largest code.
  var encoding: [ColorStep] {
    switch self {
    case .sRGB, .gray: []
    case .matrix(let profile):
      [.matrix(profile.fromSRGB, in: .linear), .curves(profile.encoding, in: .linear)]
    }
  }
}

extension MatrixProfile {
  fileprivate var linearizing: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.linear($0) }, green: { green.linear($0) }, blue: { blue.linear($0) })
  }

  fileprivate var encoding: ChannelCurves {
    let (red, green, blue) = (responses[0], responses[1], responses[2])
    return ChannelCurves(
      red: { red.code($0) }, green: { green.code($0) }, blue: { blue.code($0) })
  }
}

/// The results of a pass for the colors of an 8-bit picture, so that each color is computed once.
///
/// A photo of 20 million pixels has a few hundred thousand colors. Finding a color's result takes
/// about 2 ns; computing ten adjustments with a lookup table takes 10 ns. Nothing is approximated.
final class ColorMemory: @unchecked Sendable {
  // `@unchecked`: threads share the table on purpose. Its entries are read and written atomically,
  // and two threads that write the same entry write the same number.

  /// The memory is used for passes that take more nanoseconds for a pixel than this.
  static let cost = 4.5
  /// The memory is used for pictures with more pixels than this.
  static let leastPixels = 2_000_000

  private let pass: ColorPass.RowFunction
  /// 64 MB of zeros, of which the system provides only the parts in use: 10 to 30 MB for a photo.
  private let table: UnsafeMutablePointer<UInt32>
  private let state = Mutex(State())

  private struct State {
    var pixels = 0
    var unknown = 0
  }

  /// Fails where the process may not have so much memory; the pass then works without it.
  ///
  /// - Parameter pass: Works on 8-bit pixels by their color alone.
  init?(_ pass: @escaping ColorPass.RowFunction) {
    guard let memory = calloc(1 << 24, MemoryLayout<UInt32>.stride) else { return nil }
    self.pass = pass
    table = memory.assumingMemoryBound(to: UInt32.self)
  }

  deinit {
    free(table)
  }

  /// Does the pass for pixels of one row.
  func map(_ line: Scanline) {
    guard isWorthIt else { return pass(line) }
    let count = line.count
    let source = line.input.assumingMemoryBound(to: UInt8.self)
    let target = line.output.assumingMemoryBound(to: UInt8.self)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 1) { indexes in
      let unknown = indexes.baseAddress!
      let misses = Int(kernels.recall(source, target, table, unknown, Int32(count)))
      state.withLock { state in
        state.pixels += count
        state.unknown += misses
      }
      guard misses > 0 else { return }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * misses) { bytes in
        let colors = bytes.baseAddress!
        let results = colors + 3 * misses
        kernels.collect(source, unknown, colors, Int32(misses))
        pass(Scanline(input: colors, output: results, count: misses, x: 0, y: 0))
        kernels.learn(colors, results, table, unknown, target, Int32(misses))
      }
    }
  }

  /// Whether enough colors occur again; in noise and gradients perhaps none do.
  private var isWorthIt: Bool {
    state.withLock { $0.pixels < 1_000_000 || $0.unknown * 2 < $0.pixels }
  }
}
