/// How the numbers of a lattice are written as whole numbers, losing little or nothing.
///
/// A number is `minimum + code / largest code × (maximum − minimum)` with the channel's own ends,
/// or, with four bytes, the bits of the float in rising order.
struct LatticeCoding: Equatable {
  /// Bytes of a code.
  enum Depth: UInt8 {
    case one = 1
    case two = 2
    case four = 4

    var bits: UInt32 { UInt32(rawValue) * 8 }
    var largestCode: UInt32 { UInt32.max >> (32 - bits) }
  }

  let depth: Depth
  let minimum: SIMD3<Float>
  let maximum: SIMD3<Float>

  init(depth: Depth, minimum: SIMD3<Float>, maximum: SIMD3<Float>) {
    self.depth = depth
    self.minimum = minimum
    self.maximum = maximum
  }

  /// The widest channel that 16 bits are fine enough for: half a step is then a hundredth of a
  /// code of 255.
  static let widestQuantized: Float = 4

  /// The shortest coding for a lattice: 8 or 16 bits when its numbers are such codes already,
  /// as a HaldCLUT's are; the floats themselves for curves, which are short, and for channels wider
  /// than ``widestQuantized``; otherwise 16 bits from each channel's smallest to its largest number.
  init(for lattice: Lattice) {
    let samples = lattice.samples
    let unit = (SIMD3<Float>.zero, SIMD3<Float>.one)
    for depth in [Depth.one, .two] where Self.areCodes(samples, of: Float(depth.largestCode)) {
      self.init(depth: depth, minimum: unit.0, maximum: unit.1)
      return
    }
    var minimum = SIMD3<Float>(repeating: .greatestFiniteMagnitude)
    var maximum = -minimum
    for start in stride(from: 0, to: samples.count, by: 3) {
      let color = SIMD3(samples[start], samples[start + 1], samples[start + 2])
      minimum = pointwiseMin(minimum, color)
      maximum = pointwiseMax(maximum, color)
    }
    let widest = (maximum - minimum).max()
    if case .cube = lattice.shape, widest <= Self.widestQuantized {
      self.init(depth: .two, minimum: minimum, maximum: maximum)
    } else {
      self.init(depth: .four, minimum: unit.0, maximum: unit.1)
    }
  }

  private static func areCodes(_ samples: [Float], of white: Float) -> Bool {
    samples.allSatisfy { sample in
      sample >= 0 && sample <= 1 && (sample * white).rounded() / white == sample
    }
  }

  /// The codes of one channel, place after place.
  func codes(of samples: [Float], channel: Int) -> [UInt32] {
    let indices = stride(from: channel, to: samples.count, by: 3)
    guard depth != .four else { return indices.map { Self.ordered(samples[$0].bitPattern) } }
    let low = Double(minimum[channel])
    let width = Double(maximum[channel]) - low
    let scale = width > 0 ? Double(depth.largestCode) / width : 0
    return indices.map { UInt32(((Double(samples[$0]) - low) * scale).rounded()) }
  }

  /// Puts the numbers of one channel in their places.
  func decode(_ codes: [UInt32], channel: Int, into samples: inout [Float]) {
    guard depth != .four else {
      for (place, code) in codes.enumerated() {
        samples[3 * place + channel] = Float(bitPattern: Self.unordered(code))
      }
      return
    }
    let low = Double(minimum[channel])
    let width = Double(maximum[channel]) - low
    let white = Double(depth.largestCode)
    for (place, code) in codes.enumerated() {
      samples[3 * place + channel] = Float(low + Double(code) / white * width)
    }
  }

  /// The bits of a float as a whole number that rises with it, so that neighbors stay near.
  private static func ordered(_ bits: UInt32) -> UInt32 {
    bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits
  }

  private static func unordered(_ code: UInt32) -> UInt32 {
    code >> 31 == 1 ? code & 0x7FFF_FFFF : ~code
  }
}
