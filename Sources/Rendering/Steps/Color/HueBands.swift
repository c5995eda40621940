/// Settings of eight bands of hues, as smooth functions over the color wheel.
///
/// Between the middles of two bands, the settings change by 3t² − 2t³. All middles are multiples of
/// 15°, so each of 24 pieces is one cubic; the cubics of hue, saturation and luminance are computed
/// together. Nothing is approximated.
struct HueBands: Sendable {
  /// The bands' middles among the hues of OKLab, in degrees: red, orange, yellow, green, aqua, blue, purple,
  /// magenta.
  static let middles: [Double] = [30, 60, 105, 135, 195, 255, 300, 345]

  /// What a band does to its hues.
  struct Setting: Sendable, Equatable {
    /// How far hues move, in degrees.
    var shift = 0.0
    /// How much stronger colors get: -1 to 1.
    var saturation = 0.0
    /// How much lighter colors get: -1 to 1.
    var luminance = 0.0
  }

  /// For hue, saturation and luminance, and for each power from the constant up: a number for each
  /// piece. The last eight pieces repeat the first eight, so that no hue reads outside the table.
  private let coefficients: [Float]

  /// - Parameter settings: One for each band, in the order of `middles`.
  init(_ settings: [Setting]) {
    let middles = Self.middles
    let values = settings.map { [$0.shift / 60, $0.saturation, $0.luminance] }
    var coefficients = [Float](repeating: 0, count: 3 * 4 * 32)
    for piece in 0..<32 {
      var start = Double(piece % 24 * 15)
      // Hues before the first middle lie a turn later, after the last.
      if start < middles[0] { start += 360 }
      let band = middles.lastIndex { $0 <= start } ?? 0
      let next = (band + 1) % values.count
      let end = next == 0 ? 360 + middles[0] : middles[next]
      let width = end - middles[band]
      let (t, w) = ((start - middles[band]) / width, 15 / width)
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

  /// Calls `body` with the table as the kernels read it.
  func withTable(_ body: (UnsafePointer<Float>) -> Void) {
    coefficients.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
