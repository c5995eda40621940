import SafelightColorKernels
import SafelightLookupTables

/// A 3D lookup table made ready for pixels.
///
/// Interpolates in tetrahedra (Kasson, Nin, Plouffe and Hafner, "Performing color space conversions
/// with three-dimensional linear interpolation", Journal of Electronic Imaging 4, 1995). Grays stay on
/// the diagonal that the tetrahedra of a cell share, so a table that keeps its own grays gray keeps
/// all of them.
struct CubeLookup: Sendable {
  /// One place in each element, red fastest; the fourth number pads it to one load.
  private let nodes: [SIMD4<Float>]
  private let size: Int32
  private let lowest: [Float]
  private let scale: [Float]

  /// Prepares a lattice of the shape `cube`.
  init(_ lattice: Lattice, size: Int) {
    let (samples, domain) = (lattice.samples, lattice.domain)
    nodes = stride(from: 0, to: samples.count, by: 3).map {
      SIMD4(samples[$0], samples[$0 + 1], samples[$0 + 2], 0)
    }
    self.size = Int32(size)
    lowest = (0..<3).map { domain.minimum[$0] }
    scale = (0..<3).map { Float(size - 1) / (domain.maximum[$0] - domain.minimum[$0]) }
  }

  /// Replaces a tile's colors. What lies outside the domain counts as the nearest inside, and
  /// not-a-number as the domain's lower end.
  func map(_ tile: ColorTile) {
    nodes.withUnsafeBytes { bytes in
      kernels.cube(
        tile.red, bytes.baseAddress!.assumingMemoryBound(to: Float.self), size, lowest, scale,
        Int32(tile.count))
    }
  }
}
