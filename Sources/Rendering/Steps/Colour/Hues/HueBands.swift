/// Settings of eight bands of hues, as smooth functions over the colour wheel.
///
/// Bands fade into their neighbours by 3t² − 2t³ of the way between their middles. All middles are
/// multiples of 15°, so on each of 24 pieces that is one cubic, and three of them, for hue,
/// saturation and luminance, are computed at once. Nothing is approximated.
struct HueBands: Sendable {
  /// The bands' middles, in degrees: red, orange, yellow, green, aqua, blue, purple, magenta.
  static let middles: [Double] = [0, 30, 60, 120, 180, 225, 270, 315]

  /// What happens to a hue.
  struct Setting: Sendable, Equatable {
    /// How far it moves, in degrees.
    var turn = 0.0
    /// How much stronger it gets: -1 to 1.
    var saturation = 0.0
    /// How much lighter it gets: -1 to 1.
    var luminance = 0.0
  }

  /// Four powers for each piece, from the constant up. The last eight pieces repeat the first, so
  /// that neither hue 6 nor any other number leads out of the table.
  private let coefficients: [SIMD4<Float>]

  /// - Parameter settings: One for each band, in the order of ``middles``.
  init(_ settings: [Setting]) {
    let values = settings.map { SIMD3($0.turn / 60, $0.saturation, $0.luminance) }
    coefficients = (0..<32).flatMap { piece in
      let start = Double(piece % 24 * 15)
      let band = Self.middles.lastIndex { $0 <= start } ?? 0
      let next = (band + 1) % values.count
      let end = next == 0 ? 360 : Self.middles[next]
      let width = end - Self.middles[band]
      let (t, w) = ((start - Self.middles[band]) / width, 15 / width)
      // 3x² − 2x³ of x = t + w f, by powers of f.
      let powers = [
        3 * t * t - 2 * t * t * t, 6 * w * t * (1 - t), 3 * w * w * (1 - 2 * t), -2 * w * w * w,
      ]
      return powers.enumerated().map { power, factor in
        let value = (values[next] - values[band]) * factor + (power == 0 ? values[band] : .zero)
        return SIMD4(SIMD3<Float>(value), 0)
      }
    }
  }

  /// Calls `body` with the table for ``setting(of:in:)``.
  func withTable(_ body: (UnsafePointer<SIMD4<Float>>) -> Void) {
    coefficients.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// Turn (in sixths of the wheel), saturation and luminance of a hue from 0 to 6.
  @inline(__always)
  static func setting(of hue: Float, in table: UnsafePointer<SIMD4<Float>>) -> SIMD4<Float> {
    let position = 4 * hue
    // Adding 1.5 × 2²³ leaves the nearest whole number in the low bits; half a piece less makes
    // that the piece below. At a border either neighbour is right.
    let shifted = (position - 0.5) + 0x1.8p23
    let share = position - (shifted - 0x1.8p23)
    let piece = table + 4 * Int(shifted.bitPattern & 31)
    return piece[0] + share * (piece[1] + share * (piece[2] + share * piece[3]))
  }
}
