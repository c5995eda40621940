import SafelightColorKernels

/// The hexagon that the RGB cube shows when it is seen along its grays. It gives the colors of tints
/// without trigonometry.
///
/// Hues run from 0 (red) over 1 (yellow), 2 (green), 3 (cyan) and 4 (blue) to 5 (magenta) and 6
/// (red again). Nothing here branches, so that loops over pixels become vector instructions.
enum Hexagon {
  /// The red of a hue with chroma 1, from 0 to 1. Here and below, hues from -1 to 7 are allowed.
  @inline(__always)
  static func red(_ hue: Float) -> Float { limited(abs(hue - 3) - 1) }

  /// The green of a hue with chroma 1, from 0 to 1.
  @inline(__always)
  static func green(_ hue: Float) -> Float { limited(larger(2 - abs(hue - 2), hue - 6)) }

  /// The blue of a hue with chroma 1, from 0 to 1.
  @inline(__always)
  static func blue(_ hue: Float) -> Float { limited(larger(2 - abs(hue - 4), -hue)) }

  /// The color of a hue with luma 0, which tints a gray and keeps its luma.
  ///
  /// - Parameters:
  ///   - degrees: The hue, 60 for each side of the hexagon.
  ///   - strength: The chroma.
  static func tint(degrees: Double, strength: Double) -> (red: Float, green: Float, blue: Float) {
    let hue = Float(degrees / 60)
    let (r, g, b) = (red(hue), green(hue), blue(hue))
    let (luma, strength) = (Luma.of(red: r, green: g, blue: b), Float(strength))
    return (strength * (r - luma), strength * (g - luma), strength * (b - luma))
  }

  /// The number limited to 0…1.
  @inline(__always)
  static func limited(_ value: Float) -> Float { smaller(larger(value, 0), 1) }

  /// The larger of two numbers, as one instruction.
  @inline(__always)
  static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// The smaller of two numbers, as one instruction.
  @inline(__always)
  static func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}

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

/// An adjustment that treats a pixel by its color alone when it is weak, and reads the reduced picture when it is strong.
protocol SometimesGuidedRenderable: ColorRenderable, GuidedRenderable {
  /// Whether the adjustment reads the reduced picture.
  var isGuided: Bool { get }
}

/// Bands of hues with the colors by which they judge the pixels of a picture.
///
/// Strong settings would show the noise and the JPEG blocks of chroma as brightness: at a luminance of -100 a sky has twice
/// the noise. So they judge a pixel by its ``CalmChroma``. Weak settings, which show little of it, judge it by its own
/// color, which costs no look around; between both the calm color counts more and more.
struct JudgingBands: Sendable {
  private let bands: HueBands
  private let calm: CalmChroma?
  private let share: Float

  /// How much the calm color counts for a strongest setting of 0 to 100: nothing up to 20, which adds 11 % to the noise of
  /// a sky, and all from 40 on.
  static func share(ofCalm strongest: Double) -> Double { smoothStep((strongest - 20) / 20) }

  /// - Parameters:
  ///   - settings: The strongest of the bands' settings, 0 to 100.
  ///   - guide: The reduced picture; `nil` judges all pixels by their own colors.
  init(_ bands: HueBands, strongest: Double, guide: ReducedPicture? = nil) {
    self.bands = bands
    share = Float(Self.share(ofCalm: strongest))
    calm = share > 0 ? guide?.calmChroma : nil
  }

  /// Whether the bands look at what surrounds a pixel.
  var lookAround: Bool { calm != nil }

  /// The time for a pixel in nanoseconds, roughly.
  var cost: Double { lookAround ? 28 : 20 }

  /// Calls `body` with the table and the calm colors as the kernels read them.
  func withTables(
    on tile: ColorTile, _ body: (UnsafePointer<Float>, UnsafePointer<SafelightCalm>?) -> Void
  ) {
    bands.withTable { table in
      guard let calm else { return body(table, nil) }
      calm.withRows(on: tile) { rows in
        var judging = SafelightCalm(rows: rows, share: share, noise: share * calm.noise)
        body(table, &judging)
      }
    }
  }
}
