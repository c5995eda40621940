import SafelightColorKernels

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
