import FoundationEssentials
import Glibc

/// A weighted mean of what lies around a number, the same to both sides.
///
/// Sums are taken in one order, from the middle outwards, so results do not depend on where a block
/// or a row begins.
struct Convolution: Sendable {
  /// The weights from the middle outwards; with those of both sides they add up to 1.
  private let weights: [Float]

  /// How far away the farthest number lies that counts.
  var reach: Int { weights.count - 1 }

  /// - Parameter shape: Weights from the middle outwards, in any unit.
  private init(_ shape: [Double]) {
    let total = shape[0] + 2 * shape.dropFirst().reduce(0, +)
    weights = shape.map { Float($0 / total) }
  }

  /// A Gaussian of a standard deviation above 0, cut off at 3.5 of them.
  static func gaussian(_ deviation: Double) -> Convolution {
    let reach = max(Int((3.5 * deviation).rounded(.up)), 1)
    return Convolution(
      (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) })
  }

  /// The mean of everything at most `radius` away; what is covered in part counts as much.
  static func box(_ radius: Double) -> Convolution {
    Convolution((0...Int(radius.rounded(.up))).map { min(radius - Double($0) + 1, 1) })
  }

  /// Fills `count` numbers with the means around those of `input`, whose neighbors lie `step`
  /// numbers apart.
  func sum(
    _ input: UnsafePointer<Float>, step: Int, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    weights.withUnsafeBufferPointer {
      kernels.convolve(input, step, $0.baseAddress!, Int32(reach), output, Int32(count))
    }
  }

  /// Convolves a rectangle across and then down.
  ///
  /// - Parameters:
  ///   - input: The first of `width × height` numbers.
  ///   - stride: From the start of a row of the input to that of the next.
  ///   - output: Gets what lies at least ``reach`` from every side, without gaps.
  func apply(
    _ input: UnsafePointer<Float>, stride: Int, width: Int, height: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    let (wide, high) = (width - 2 * reach, height - 2 * reach)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: wide * height) { memory in
      let rows = memory.baseAddress!
      for y in 0..<height {
        sum(input + y * stride + reach, step: 1, to: rows + y * wide, count: wide)
      }
      // Rows follow each other without gaps, here as in the output, so they are one long row.
      sum(rows + reach * wide, step: wide, to: output, count: wide * high)
    }
  }
}

/// A picture that goes on beyond its edges as its own mirror image.
enum Mirror {
  /// The place, from 0, that stands for any place of a row of `count`.
  static func place(_ index: Int, of count: Int) -> Int {
    if index >= 0, index < count { return index }
    let inPair = ((index % (2 * count)) + 2 * count) % (2 * count)
    return inPair < count ? inPair : 2 * count - 1 - inPair
  }
}
