import LookupTables

/// A 3D lookup table made ready for pixels.
///
/// Interpolates in the tetrahedron around a colour: of the six that share the diagonal of a cell,
/// the one where the largest, the middle and the smallest of the three fractions lie. The result is
/// `(1 − f₁) c₀ + (f₁ − f₂) c₁ + (f₂ − f₃) c₂ + f₃ c₃` with the fractions in falling order and the
/// corners met on the way from the cell's lowest to its highest, along the largest fraction's axis
/// first. Source: Kasson, Nin, Plouffe and Hafner, "Performing color space conversions with
/// three-dimensional linear interpolation", Journal of Electronic Imaging 4 (1995).
///
/// Greys stay on the diagonal, so a table that keeps them grey keeps all greys between. The
/// arithmetic is plain float multiplication and addition, the same on every processor.
struct CubeLookup: Sendable {
  /// One corner of the cells in each element, red fastest; the fourth number pads it to one load.
  private let nodes: [SIMD4<Float>]
  private let size: Int32
  private let minimum: SIMD3<Float>
  private let scale: SIMD3<Float>

  /// Prepares a lattice of the shape `cube`.
  init(_ lattice: Lattice, size: Int) {
    let samples = lattice.samples
    nodes = stride(from: 0, to: samples.count, by: 3).map {
      SIMD4(samples[$0], samples[$0 + 1], samples[$0 + 2], 0)
    }
    self.size = Int32(size)
    minimum = lattice.domain.minimum
    scale = Float(size - 1) / (lattice.domain.maximum - lattice.domain.minimum)
  }

  /// Replaces `count` colours. What lies outside the domain counts as the nearest inside, and
  /// not-a-number as the domain's lower end.
  func map(
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>,
    _ blue: UnsafeMutablePointer<Float>, count: Int
  ) {
    let last = Float(size - 1)
    let lastCell = size - 2
    let (redStep, greenStep, blueStep) = (Int32(1), size, size * size)
    let wholeStep = redStep + greenStep + blueStep
    nodes.withUnsafeBufferPointer { nodes in
      let nodes = nodes.baseAddress!
      for index in 0..<count {
        let (r, redCell) = Self.place((red[index] - minimum.x) * scale.x, last, lastCell)
        let (g, greenCell) = Self.place((green[index] - minimum.y) * scale.y, last, lastCell)
        let (b, blueCell) = Self.place((blue[index] - minimum.z) * scale.z, last, lastCell)

        // The axes of the largest and the smallest fraction; written to compile without jumps.
        let (redOverGreen, greenOverBlue, redOverBlue) = (r >= g, g >= b, r >= b)
        let lowStep =
          redOverGreen ? (greenOverBlue ? blueStep : greenStep) : (redOverBlue ? blueStep : redStep)
        let highStep =
          redOverGreen ? (redOverBlue ? redStep : blueStep) : (greenOverBlue ? greenStep : blueStep)
        let (low, high) = (min(r, min(g, b)), max(r, max(g, b)))
        let middle = max(min(r, g), min(max(r, g), b))

        let corner = redCell &+ greenCell &* greenStep &+ blueCell &* blueStep
        let first = nodes[Int(corner)]
        let second = nodes[Int(corner &+ highStep)]
        let third = nodes[Int(corner &+ wholeStep &- lowStep)]
        let fourth = nodes[Int(corner &+ wholeStep)]
        let colour =
          first * (1 - high) + second * (high - middle) + third * (middle - low) + fourth * low
        red[index] = colour.x
        green[index] = colour.y
        blue[index] = colour.z
      }
    }
  }

  /// The fraction and the cell of a position along one axis.
  @inline(__always)
  private static func place(
    _ position: Float, _ last: Float, _ lastCell: Int32
  ) -> (fraction: Float, cell: Int32) {
    // Both comparisons are false for not-a-number, which becomes zero.
    let above = position > 0 ? position : 0
    let inside = above < last ? above : last
    // The upper end belongs to the last cell, at fraction one.
    let cell = min(Int32(truncatingIfNeeded: Int(inside)), lastCell)
    return (inside - Float(cell), cell)
  }
}
