/// Takes back a slight blur of the lens or of the focus: deconvolution after Richardson and Lucy.
///
/// On sRGB-encoded luma y (BT.709 weights, at least 0.001), with the Gaussian blur G whose standard
/// deviation is `radius`, cut off at 2.5 deviations. The result x begins as y. Six times
///
///     z = max(x + 0.8 (x − before), 0.001),   b = G(z),   w = (y − b)² / ((y − b)² + t²)
///     before = x,   x = z G(1 + w (y / b − 1))
///
/// where the first two rounds have z = x, and t is `damping` in codes of 255. At last, what lies
/// beyond the smallest and largest y of the square that reaches as far as the Gaussian is kept to
/// three tenths, against rings along edges, and `out = in + amount / 100 × (x − y)`, alike for all
/// channels. Beyond its edges the picture is mirrored. In a preview the radius shrinks with the
/// picture; below 0.3 pixels nothing is done.
///
/// Sources: Richardson, "Bayesian-based iterative method of image restoration", JOSA 62, 1972;
/// Lucy, AJ 79, 1974. That steps of the direction taken last make it faster is from Biggs and
/// Andrews, "Acceleration of iterative image restoration algorithms", Applied Optics 36, 1997; here
/// the factor is constant, so that each pixel depends on its surroundings alone. The damping follows
/// the idea of White, "Image restoration using the damped Richardson-Lucy method", 1994: differences
/// that noise explains are not restored. Encoded values were chosen by measurement: in linear light
/// the same rounds restore less of a blur of encoded values and ring more on the dark side of edges.
public struct Deblur: Adjustment {
  public static let id = "deblur"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Takes back a slight blur of the lens or of the focus."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent,
      summary: "How much of the blur is taken back."
    ),
    Parameter(
      \.radius, "radius", range: 0.5...2.5, unit: .pixels,
      summary: "How wide the blur is: the standard deviation of a Gaussian."),
    Parameter(
      \.damping, "damping", range: 0...20,
      summary: "Smaller differences count as noise and stay, in codes of 255."),
  ]

  /// How much of the blur is taken back, 0 to 100.
  public var amount = 0.0
  /// The standard deviation of the blur in pixels of the full-size photo, 0.5 to 2.5.
  public var radius = 1.0
  /// Differences well below this number are not restored, in codes of 255, 0 to 20.
  public var damping = 1.0

  /// Changes nothing.
  public init() {}

  /// Whether no blur is taken back.
  public var isNeutral: Bool { amount == 0 }
}
