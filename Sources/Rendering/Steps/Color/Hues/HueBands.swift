/// Settings of eight bands of hues, as smooth functions over the color wheel.
///
/// Bands fade into their neighbors by 3t² − 2t³ of the way between their middles. All middles are
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

  /// For turn, saturation and luminance, and for each power from the constant up: a number for each
  /// piece. The last eight pieces repeat the first, so that neither hue 6 nor any other number leads
  /// out of the table.
  private let coefficients: [Float]

  /// - Parameter settings: One for each band, in the order of ``middles``.
  init(_ settings: [Setting]) {
    let values = settings.map { [$0.turn / 60, $0.saturation, $0.luminance] }
    var coefficients = [Float](repeating: 0, count: 3 * 4 * 32)
    for piece in 0..<32 {
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
      for kind in 0..<3 {
        for (power, factor) in powers.enumerated() {
          let value = (values[next][kind] - values[band][kind]) * factor
          coefficients[(kind * 4 + power) * 32 + piece] = Float(
            value + (power == 0 ? values[band][kind] : 0))
        }
      }
    }
    self.coefficients = coefficients
  }

  /// Calls `body` with the table as the kernels take it.
  func withTable(_ body: (UnsafePointer<Float>) -> Void) {
    coefficients.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
