import SafelightAdjustments

/// An adjustment that looks at the pixels right around each pixel.
protocol NeighborhoodRenderable: Adjustment {
  /// The step that does what the adjustment says; `nil` when that changes no pixel.
  func neighborhoodStep(in context: StepContext) -> (any NeighborhoodStep)?
}

/// A step that makes each pixel from those around it, in encoded values.
protocol NeighborhoodStep: Sendable {
  /// How many columns and rows away the farthest pixel lies that it looks at.
  var reach: Int { get }
  /// Fills `output` from `input`, which is ``reach`` larger on every side: the pixel (x, y) of the
  /// output lies at (x + reach, y + reach) of the input. Beyond its edges the picture is mirrored, as
  /// then means of squares of it are those of the mirrored picture. Called from several threads at once; the result for a pixel must depend on the
  /// pixels around it alone, so sums are taken in a fixed order and never carried on.
  func apply(_ input: PlanarPixels, to output: PlanarPixels)
}

/// A rectangle of pixels in float, one plane for each channel.
struct PlanarPixels {
  let width: Int
  let height: Int
  let red: UnsafeMutablePointer<Float>
  let green: UnsafeMutablePointer<Float>
  let blue: UnsafeMutablePointer<Float>

  /// Pixels over memory for three times `width × height` numbers.
  init(_ memory: UnsafeMutablePointer<Float>, width: Int, height: Int) {
    self.width = width
    self.height = height
    red = memory
    green = memory + width * height
    blue = green + width * height
  }

  /// Red, green and blue.
  @inline(__always)
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { red + channel * width * height }
}
