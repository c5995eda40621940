import SafelightColorKernels

/// A function of one number, tabulated with the same relative step everywhere.
///
/// A float's exponent and the first nine bits of its fraction pick the entry, the rest
/// interpolates: 512 straight pieces for each doubling, from 2⁻²⁰ to 2⁶, on either side of zero.
/// Where a curve's slope changes by 1 in a single place, as where a level clips, the error is below
/// a tenth of a code of 255; elsewhere it is far below, and power laws keep their relative
/// precision in the shadows. The arithmetic is the same on every processor.
struct CurveTable: Sendable {
  private static let lowest: Float = 0x1p-20
  private static let firstIndex = lowest.bitPattern >> 14
  private static let entries = Int(SAFELIGHT_CURVE_ENTRIES)

  /// The function from 2⁻²⁰ up, then mirrored for the negative numbers.
  private let values: [Float]
  private let atZero: Float
  /// Whether no input gives a negative number.
  let outputIsNeverNegative: Bool

  /// Tabulates `function`. Beyond ±64 it keeps its last value.
  ///
  /// - Parameter negatives: Whether numbers below zero come in; otherwise they count as zero.
  init(negatives: Bool = true, _ function: (Double) -> Double) {
    let atZero = Float(function(0))
    func samples(_ sign: Double) -> [Float] {
      (0..<Self.entries).map { index in
        let input = Float(bitPattern: (Self.firstIndex + UInt32(index)) << 14)
        return Float(function(sign * Double(input)))
      }
    }
    values =
      samples(1) + (negatives ? samples(-1) : [Float](repeating: atZero, count: Self.entries))
    self.atZero = atZero
    outputIsNeverNegative = atZero >= 0 && values.allSatisfy { $0 >= 0 }
  }

  /// Replaces each of `count` numbers.
  func map(_ row: UnsafeMutablePointer<Float>, count: Int) {
    values.withUnsafeBufferPointer {
      kernels.curve(row, $0.baseAddress!, atZero, Int32(count))
    }
  }
}
