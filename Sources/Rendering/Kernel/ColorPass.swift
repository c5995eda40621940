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
  private let dithers: Bool

  /// Compiles steps, from the way the input is stored to the way the output will be stored.
  ///
  /// - Parameter dithers: Whether 8-bit output is dithered where it is smooth.
  init(_ steps: [ColorStep], from input: Pixels, to output: Pixels, dithers: Bool = false) {
    self.input = input
    self.output = output
    self.dithers = dithers
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
    guard maps8BitColors, image.bands == 3, !dithers,
      ColorMemory.pays(for: program.cost, pixels: image.width * image.height),
      let memory = ColorMemory(row)
    else { return row }
    return { memory.map($0) }
  }

  /// Whether the result depends on the place of a pixel, and not on its color alone.
  var dependsOnPlace: Bool { program.dependsOnPlace }

  /// Whether the pass makes 8-bit codes from 8-bit codes, by a pixel's color alone.
  var maps8BitColors: Bool {
    input.format == .uint8 && output.format == .uint8 && !program.dependsOnPlace
  }

  /// The time for a pixel in nanoseconds, roughly.
  var cost: Double { program.cost }

  /// What the pass does to pixels of three or of one number, without a memory of colors.
  func rowFunction(bands: Int) -> RowFunction {
    rowFunction(bands: bands, to: PixelEncoder(format: output.format, dithers: dithers))
  }

  /// What the pass does to pixels of three numbers, as floats where others get codes.
  var floatRowFunction: RowFunction { rowFunction(bands: 3, to: PixelEncoder(format: .float)) }

  private func rowFunction(bands: Int, to encoder: PixelEncoder) -> RowFunction {
    let decoder = PixelDecoder(input.format, bands: bands, through: leading)
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

/// The results of a pass for the colors of an 8-bit picture, so that each color is computed once.
///
/// A photo of 20 million pixels has a few hundred thousand colors. Finding a color's result takes
/// about 1 ns; computing ten adjustments takes 40 ns. Nothing is approximated.
final class ColorMemory: @unchecked Sendable {
  // `@unchecked`: threads share the table on purpose. Its entries are read and written at once, and
  // each says for which color it is.

  /// Whether a pass is faster with a memory: where a pixel costs more than looking its color up, and
  /// all pixels much more than the memory, which takes about a millisecond.
  ///
  /// - Parameter cost: The nanoseconds for a pixel.
  static func pays(for cost: Double, pixels: Int) -> Bool {
    cost > 4.5 && cost * Double(pixels) > 9_000_000
  }

  private let pass: ColorPass.RowFunction
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
    guard let memory = calloc(1 << 20, MemoryLayout<UInt32>.stride) else { return nil }
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
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + 15) { indexes in
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
    state.withLock { $0.pixels < 250_000 || $0.unknown * 2 < $0.pixels }
  }
}

/// A short run of pixels of one row in float, one plane for each channel, small enough for the L1
/// cache.
///
/// Values are extended sRGB, linear or encoded: each step says which of the two it needs.
struct ColorTile {
  /// The most pixels of a tile: three planes of 4 KB each, with room for the copy that a filter
  /// needs.
  static let capacity = Int(SAFELIGHT_TILE)

  /// Red; the other planes follow ``capacity`` numbers apart.
  let red: UnsafeMutablePointer<Float>
  /// Pixels in the tile, at most ``capacity``.
  let count: Int
  /// The column of the first pixel, in the picture that the pass works on.
  let x: Int
  /// The row of all pixels.
  let y: Int

  var green: UnsafeMutablePointer<Float> { red + Self.capacity }
  var blue: UnsafeMutablePointer<Float> { red + 2 * Self.capacity }

  /// A tile over memory for three times ``capacity`` numbers.
  init(_ memory: UnsafeMutablePointer<Float>, count: Int, x: Int = 0, y: Int = 0) {
    red = memory
    self.count = count
    self.x = x
    self.y = y
  }

  /// Calls `body` with memory for the planes of a tile.
  static func withMemory(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    withFloats(3 * capacity) { memory in
      body(memory.baseAddress!)
    }
  }

  /// Calls `body` for red, green and blue, in this order.
  @inline(__always)
  func forEachPlane(_ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
    body(0, red)
    body(1, green)
    body(2, blue)
  }

  /// Calls `body` with a tile that starts as a copy of this one.
  func withCopy(_ body: (ColorTile) -> Void) {
    Self.withMemory { memory in
      let copy = ColorTile(memory, count: count, x: x, y: y)
      copy.red.update(from: red, count: count)
      copy.green.update(from: green, count: count)
      copy.blue.update(from: blue, count: count)
      body(copy)
    }
  }
}

/// The innermost loops for the instructions that this processor has.
let kernels = safelight_kernels(safelight_kernel_levels() - 1).pointee

/// Reads rows of pixels into tiles: whole numbers through tables, floats without change.
struct PixelDecoder: Sendable {
  private let bands: Int
  private let format: Image.SampleFormat
  /// The tables of red, green and blue one after the other, or one table for all channels. Empty
  /// when samples are only divided by the largest code.
  private let tables: [Float]
  private let tableStride: Int

  /// - Parameters:
  ///   - format: How the samples are stored.
  ///   - bands: 1 for gray, otherwise 3.
  ///   - curves: What each code becomes, as a share of the largest code; not used for floats.
  init(_ format: Image.SampleFormat, bands: Int, through curves: ChannelCurves?) {
    self.bands = bands
    self.format = format
    guard curves != nil || bands == 1, format != .float else {
      (tables, tableStride) = ([], 0)
      return
    }
    let codes = format == .uint16 ? 65_536 : 256
    let functions = curves.map { $0.isShared ? [$0.red] : $0.functions } ?? [{ $0 }]
    tables = functions.flatMap { function in
      (0..<codes).map { Float(function(Double($0) / Double(codes - 1))) }
    }
    tableStride = functions.count == 1 ? 0 : codes
  }

  /// Fills a tile from the pixels at `input`, beginning with pixel `offset`.
  func decode(_ input: UnsafeRawPointer, from offset: Int, into tile: ColorTile) {
    let count = Int32(tile.count)
    switch format {
    case .uint16:
      let samples = input.assumingMemoryBound(to: UInt16.self) + offset * bands
      guard !tables.isEmpty else { return kernels.scale16(samples, tile.red, count) }
      withTables { kernels.decode16(samples, Int32(bands), $0, $1, $2, tile.red, count) }
    case .float, .other:
      let pixels = input.assumingMemoryBound(to: Float.self) + offset * 3
      kernels.spread(pixels, tile.red, ColorTile.capacity, count)
    case .uint8:
      let samples = input.assumingMemoryBound(to: UInt8.self) + offset * bands
      guard !tables.isEmpty else { return kernels.scale8(samples, tile.red, count) }
      withTables { kernels.decode8(samples, Int32(bands), $0, $1, $2, tile.red, count) }
    }
  }

  private func withTables(
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>) -> Void
  ) {
    tables.withUnsafeBufferPointer { buffer in
      let first = buffer.baseAddress!
      body(first, first + tableStride, first + 2 * tableStride)
    }
  }
}

/// Writes tiles as rows of red, green and blue: as whole numbers, rounded once, or as floats.
struct PixelEncoder: Sendable {
  /// How the samples are stored. The largest whole number stands for 1.
  let format: Image.SampleFormat
  /// Whether whole numbers of 8 bits are dithered where the tile is smooth.
  var dithers = false

  /// Writes a tile to `output`, beginning with pixel `offset`.
  func encode(_ tile: ColorTile, to output: UnsafeMutableRawPointer, from offset: Int) {
    let count = Int32(tile.count)
    switch format {
    case .uint8 where dithers:
      kernels.encode8_dithered(
        tile.red, Int32(tile.x), UInt32(truncatingIfNeeded: tile.y),
        output.assumingMemoryBound(to: UInt8.self) + offset * 3, count)
    case .uint8:
      kernels.encode8(tile.red, output.assumingMemoryBound(to: UInt8.self) + offset * 3, count)
    case .uint16:
      kernels.encode16(tile.red, output.assumingMemoryBound(to: UInt16.self) + offset * 3, count)
    case .float, .other:
      let pixels = output.assumingMemoryBound(to: Float.self) + offset * 3
      kernels.gather(tile.red, ColorTile.capacity, pixels, count)
    }
  }
}

/// Calls `body` with memory for so many numbers, whose values are any.
///
/// The standard library takes all but the smallest memory from the heap, where threads wait for each other.
@inline(__always)
func withFloats<Result>(
  _ count: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Result
) rethrows -> Result {
  guard let memory = safelight_take_floats(Int32(count)) else {
    return try withUnsafeTemporaryAllocation(of: Float.self, capacity: count, body)
  }
  defer { safelight_give_floats(Int32(count)) }
  return try body(UnsafeMutableBufferPointer(start: memory, count: count))
}
