import SafelightColorKernels
import SafelightVips

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
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * capacity) { memory in
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

  /// Writes a tile to `output`, beginning with pixel `offset`.
  func encode(_ tile: ColorTile, to output: UnsafeMutableRawPointer, from offset: Int) {
    let count = Int32(tile.count)
    switch format {
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
