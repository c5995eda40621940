/// A curve on encoded values, tabulated evenly from 0 to 1 and straight beyond.
///
/// 4,096 straight pieces: where a curve bends by less than 16 (slope change per unit), the error
/// is below 10⁻⁶, far from a code of 255.
struct CurveTable: Sendable {
  private static let pieces = 4096
  private let values: [Float]
  private let slopeBelow: Float
  private let slopeAbove: Float

  /// Tabulates `curve`. Beyond 0 and 1 it goes on with the slope it has there, as steep as 4 at
  /// most, so that colours outside sRGB keep their order without running away.
  init(_ curve: (Double) -> Double) {
    values = (0...Self.pieces).map { Float(curve(Double($0) / Double(Self.pieces))) }
    let step = 1 / Double(Self.pieces)
    slopeBelow = Float(min(max((curve(step) - curve(0)) / step, 0), 4))
    slopeAbove = Float(min(max((curve(1) - curve(1 - step)) / step, 0), 4))
  }

  /// Replaces each number of a row.
  func map(_ row: UnsafeMutableBufferPointer<Float>) {
    values.withUnsafeBufferPointer { values in
      for index in row.indices {
        let input = row[index]
        if input <= 0 {
          row[index] = values[0] + slopeBelow * input
        } else if input < 1 {
          let position = input * Float(Self.pieces)
          let piece = Int(position)
          let share = position - Float(piece)
          row[index] = values[piece] + (values[piece + 1] - values[piece]) * share
        } else {
          // Not-a-number arrives here too and stays one; the encoder makes it black.
          row[index] = values[Self.pieces] + slopeAbove * (input - 1)
        }
      }
    }
  }
}
