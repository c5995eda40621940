import SafelightColorKernels
import SafelightVips

/// Writes tiles as rows of red, green and blue: as whole numbers, rounded once, or as floats.
struct PixelEncoder: Sendable {
  /// How the samples are stored; whole numbers have 1 as the largest.
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
