import SafelightLookupTables

/// A 1D lookup table made ready for pixels: one curve for each channel, straight between places.
///
/// The arithmetic is plain float multiplication and addition, the same on every processor.
struct CurvesLookup: Sendable {
  private let curves: [[Float]]
  private let minimum: SIMD3<Float>
  private let scale: SIMD3<Float>

  /// Prepares a lattice of the shape `curves`.
  init(_ lattice: Lattice, size: Int) {
    curves = (0..<3).map { channel in
      stride(from: channel, to: lattice.samples.count, by: 3).map { lattice.samples[$0] }
    }
    minimum = lattice.domain.minimum
    scale = Float(size - 1) / (lattice.domain.maximum - lattice.domain.minimum)
  }

  /// Replaces a tile's colors. What lies outside the domain counts as the nearest inside, and
  /// not-a-number as the domain's lower end.
  func map(_ tile: ColorTile) {
    tile.forEachPlane { channel, plane in
      let (minimum, scale) = (minimum[channel], scale[channel])
      curves[channel].withUnsafeBufferPointer { curve in
        let (places, last) = (curve.baseAddress!, Float(curve.count - 1))
        let lastPiece = curve.count - 2
        for index in 0..<tile.count {
          let position = (plane[index] - minimum) * scale
          // Both comparisons are false for not-a-number, which becomes zero.
          let above = position > 0 ? position : 0
          let inside = above < last ? above : last
          let piece = min(Int(inside), lastPiece)
          let share = inside - Float(piece)
          plane[index] = places[piece] * (1 - share) + places[piece + 1] * share
        }
      }
    }
  }
}
