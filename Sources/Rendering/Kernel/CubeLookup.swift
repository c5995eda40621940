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
/// Greys stay on the diagonal, so a table that keeps them grey keeps all greys between.
///
/// Four colours go side by side, so that all but the fetching of corners is vector arithmetic: plain
/// float additions and multiplications, rounded one by one, the same on every processor and
/// wherever a tile begins.
struct CubeLookup: Sendable {
  private typealias Four = SIMD4<Float>
  private typealias Bits = SIMD4<UInt32>

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
    nodes.withUnsafeBufferPointer { nodes in
      let nodes = nodes.baseAddress!
      var index = 0
      while index + 4 <= count {
        let (reds, greens, blues) = (
          UnsafeMutableRawPointer(red + index), UnsafeMutableRawPointer(green + index),
          UnsafeMutableRawPointer(blue + index)
        )
        var four = (
          reds.loadUnaligned(as: Four.self), greens.loadUnaligned(as: Four.self),
          blues.loadUnaligned(as: Four.self)
        )
        map(&four, nodes)
        reds.storeBytes(of: four.0, as: Four.self)
        greens.storeBytes(of: four.1, as: Four.self)
        blues.storeBytes(of: four.2, as: Four.self)
        index += 4
      }
      while index < count {
        var four = (
          Four(repeating: red[index]), Four(repeating: green[index]), Four(repeating: blue[index])
        )
        map(&four, nodes)
        (red[index], green[index], blue[index]) = (four.0.x, four.1.x, four.2.x)
        index += 1
      }
    }
  }

  @inline(__always)
  private func map(_ colours: inout (Four, Four, Four), _ nodes: UnsafePointer<SIMD4<Float>>) {
    let (r, redCell) = place((colours.0 - minimum.x) * scale.x)
    let (g, greenCell) = place((colours.1 - minimum.y) * scale.y)
    let (b, blueCell) = place((colours.2 - minimum.z) * scale.z)

    // Which axes have the largest and the smallest fraction, as bits all set or all clear.
    let redOverGreen = Self.bits(r .>= g)
    let redOverBlue = Self.bits(r .>= b)
    let greenOverBlue = Self.bits(g .>= b)
    let redIsHigh = redOverGreen & redOverBlue
    let greenIsHigh = ~redOverGreen & greenOverBlue
    let blueIsHigh = ~(redIsHigh | greenIsHigh)
    let blueIsLow = greenOverBlue & redOverBlue
    let greenIsLow = redOverGreen & ~greenOverBlue
    let redIsLow = ~(blueIsLow | greenIsLow)
    let high = Self.chosen(r, redIsHigh, g, greenIsHigh, b, blueIsHigh)
    let low = Self.chosen(r, redIsLow, g, greenIsLow, b, blueIsLow)
    let middle = Self.chosen(
      r, ~(redIsHigh | redIsLow), g, ~(greenIsHigh | greenIsLow), b, ~(blueIsHigh | blueIsLow))

    let (redStep, greenStep, blueStep) = (UInt32(1), UInt32(size), UInt32(size &* size))
    let highStep = redIsHigh & redStep | greenIsHigh & greenStep | blueIsHigh & blueStep
    let lowStep = redIsLow & redStep | greenIsLow & greenStep | blueIsLow & blueStep
    // Whole numbers below 2^22, for which float arithmetic is exact.
    let first = Self.whole(redCell + greenCell * Float(greenStep) + blueCell * Float(blueStep))
    let fourth = first &+ (redStep &+ greenStep &+ blueStep)
    let (second, third) = (first &+ highStep, fourth &- lowStep)
    let shares = (1 - high, high - middle, middle - low, low)
    // Spelled out, because a loop over lanes goes through memory.
    let one =
      nodes[Int(first.x)] * shares.0.x + nodes[Int(second.x)] * shares.1.x
      + nodes[Int(third.x)] * shares.2.x + nodes[Int(fourth.x)] * shares.3.x
    let two =
      nodes[Int(first.y)] * shares.0.y + nodes[Int(second.y)] * shares.1.y
      + nodes[Int(third.y)] * shares.2.y + nodes[Int(fourth.y)] * shares.3.y
    let three =
      nodes[Int(first.z)] * shares.0.z + nodes[Int(second.z)] * shares.1.z
      + nodes[Int(third.z)] * shares.2.z + nodes[Int(fourth.z)] * shares.3.z
    let four =
      nodes[Int(first.w)] * shares.0.w + nodes[Int(second.w)] * shares.1.w
      + nodes[Int(third.w)] * shares.2.w + nodes[Int(fourth.w)] * shares.3.w
    colours.0 = Four(one.x, two.x, three.x, four.x)
    colours.1 = Four(one.y, two.y, three.y, four.y)
    colours.2 = Four(one.z, two.z, three.z, four.z)
  }

  /// The fractions and the cells of positions along one axis.
  @inline(__always)
  private func place(_ positions: Four) -> (fractions: Four, cells: Four) {
    let last = Four(repeating: Float(size - 1))
    // Both comparisons are false for not-a-number, which becomes zero.
    let above = Four.zero.replacing(with: positions, where: positions .> .zero)
    let inside = last.replacing(with: above, where: above .< last)
    // Rounds down; on a place it may give the cell before, where the fraction is one.
    let rounded = (inside - 0.5 + Self.unitStep) - Self.unitStep
    // The upper end belongs to the last cell.
    let cells = rounded.replacing(with: last - 1, where: rounded .> last - 1)
    return (inside - cells, cells)
  }

  /// 1.5 × 2^23: floats around it lie one apart, so adding it rounds to a whole number, which
  /// stands in the low bits.
  private static let unitStep: Float = 12_582_912

  @inline(__always)
  private static func whole(_ numbers: Four) -> Bits {
    unsafeBitCast(numbers + unitStep, to: Bits.self) & 0x3F_FFFF
  }

  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> Bits {
    unsafeBitCast(mask, to: Bits.self)
  }

  /// Of each three numbers the one whose bits are set.
  @inline(__always)
  private static func chosen(
    _ one: Four, _ isOne: Bits, _ two: Four, _ isTwo: Bits, _ three: Four, _ isThree: Bits
  ) -> Four {
    unsafeBitCast(
      unsafeBitCast(one, to: Bits.self) & isOne | unsafeBitCast(two, to: Bits.self) & isTwo
        | unsafeBitCast(three, to: Bits.self) & isThree, to: Four.self)
  }
}
