import SafelightColorKernels
import SafelightVips

/// Reads rows of pixels into tiles: whole numbers through one table or three, floats as they are.
struct PixelDecoder: Sendable {
  private let bands: Int
  private let format: Image.SampleFormat
  /// The tables of red, green and blue one after the other, or one for all; empty when samples are
  /// only divided by the largest.
  private let tables: [Float]
  private let tableStride: Int

  /// - Parameters:
  ///   - format: How the samples are stored.
  ///   - bands: 1 for gray, otherwise 3.
  ///   - curves: What each code becomes, as a share of the largest; not for floats.
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
