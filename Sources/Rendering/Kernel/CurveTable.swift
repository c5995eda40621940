/// A function of one number, tabulated with the same relative step everywhere.
///
/// A float's exponent and the first nine bits of its fraction pick the entry, the rest
/// interpolates: 512 straight pieces for each doubling, from 2⁻²⁰ to 2⁶, on either side of zero.
/// Where a curve's slope changes by 1 in a single place, as where a level clips, the error is below
/// a tenth of a code of 255; elsewhere it is far below, and power laws keep their relative
/// precision in the shadows. The arithmetic is the same on every processor.
struct CurveTable: Sendable {
  private static let lowest: Float = 0x1p-20
  private static let highest: Float = 0x1p6
  private static let firstIndex = lowest.bitPattern >> 14
  private static let entries = Int((highest.bitPattern >> 14) - firstIndex) + 2

  /// The function at zero and up; below zero mirrored into `negative`.
  private let positive: [Float]
  /// Empty when no input can be negative.
  private let negative: [Float]
  private let atZero: Float
  private let isNeverNegative: Bool

  /// Tabulates `function`. Beyond ±64 it keeps its last value.
  ///
  /// - Parameter negatives: Whether numbers below zero come in; otherwise they count as zero.
  init(negatives: Bool = true, _ function: (Double) -> Double) {
    func samples(_ sign: Double) -> [Float] {
      (0..<Self.entries).map { index in
        let input = Float(bitPattern: (Self.firstIndex + UInt32(index)) << 14)
        return Float(function(sign * Double(input)))
      }
    }
    atZero = Float(function(0))
    positive = samples(1)
    negative = negatives ? samples(-1) : []
    isNeverNegative =
      atZero >= 0 && positive.allSatisfy { $0 >= 0 } && negative.allSatisfy { $0 >= 0 }
  }

  /// Whether no input gives a negative number.
  var outputIsNeverNegative: Bool { isNeverNegative }

  /// Replaces each of `count` numbers.
  func map(_ row: UnsafeMutablePointer<Float>, count: Int) {
    positive.withUnsafeBufferPointer { positive in
      negative.withUnsafeBufferPointer { negative in
        let up = positive.baseAddress!
        let down = negative.isEmpty ? nil : negative.baseAddress
        for index in 0..<count {
          let input = row[index]
          if input >= Self.lowest {
            row[index] = Self.look(up: input, in: up)
          } else if input <= -Self.lowest, let down {
            row[index] = Self.look(up: -input, in: down)
          } else if input > 0 {
            row[index] = atZero + (up[0] - atZero) * (input / Self.lowest)
          } else {
            // Nothing below the first entry is worth a slope; not-a-number becomes zero here.
            row[index] = atZero
          }
        }
      }
    }
  }

  @inline(__always)
  private static func look(up input: Float, in values: UnsafePointer<Float>) -> Float {
    let bits = min(input, highest).bitPattern
    let index = Int((bits >> 14) &- firstIndex)
    let share = Float(Int32(truncatingIfNeeded: bits & 0x3FFF)) * (1 / 16_384)
    let value = values[index]
    return value + (values[index + 1] - value) * share
  }
}
