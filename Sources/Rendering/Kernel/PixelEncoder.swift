import Vips

/// Writes tiles as rows of red, green and blue: as whole numbers, rounded once, or as floats.
struct PixelEncoder: Sendable {
  /// How the samples are stored; whole numbers have 1 as the largest.
  let format: Image.SampleFormat

  /// Writes a tile to `output`, beginning with pixel `offset`.
  func encode(_ tile: ColourTile, to output: UnsafeMutableRawPointer, from offset: Int) {
    tile.forEachPlane { channel, plane in
      let first = offset * 3 + channel
      // Not-a-number compares as false and so becomes black.
      switch format {
      case .uint8:
        let codes = output.assumingMemoryBound(to: UInt8.self) + first
        for index in 0..<tile.count {
          codes[index &* 3] = UInt8(truncatingIfNeeded: Self.code(plane[index], of: 255))
        }
      case .uint16:
        let codes = output.assumingMemoryBound(to: UInt16.self) + first
        for index in 0..<tile.count {
          codes[index &* 3] = UInt16(truncatingIfNeeded: Self.code(plane[index], of: 65_535))
        }
      case .float, .other:
        let values = output.assumingMemoryBound(to: Float.self) + first
        for index in 0..<tile.count { values[index &* 3] = plane[index] }
      }
    }
  }

  /// The nearest code, in the low bits: a float of 2²³ and more has no room for a fraction, so adding
  /// that rounds, to the even code where two are equally near.
  @inline(__always)
  private static func code(_ value: Float, of largest: Float) -> UInt32 {
    ((value > 0 ? min(value, 1) : 0) * largest + 0x1p23).bitPattern
  }
}
