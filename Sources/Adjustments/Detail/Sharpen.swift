/// Makes edges crisper: unsharp masking of luma.
///
/// On sRGB-encoded values, with luma Y' (BT.709 weights), its Gaussian blur G with the
/// standard deviation `radius`, cut off at 3.5 deviations, and d = Y' − G:
/// `out = in + amount / 100 × d × d² / (d² + t²)`, alike for all channels, where t is the threshold
/// in codes of 255. Differences well below the threshold, such as noise, hardly change. Beyond
/// its edges the picture is mirrored. In a preview the radius shrinks with the picture; below 0.3
/// pixels nothing is done.
public struct Sharpen: Adjustment {
  public static let id = "sharpen"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Makes edges crisper."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...150, unit: .percent, summary: "How much crisper edges get."),
    Parameter(
      \.radius, "radius", range: 0.5...3, unit: .pixels,
      summary: "How wide the sharpened edges are."),
    Parameter(
      \.threshold, "threshold", range: 0...50,
      summary: "Smaller differences are not sharpened, in codes of 255."),
  ]

  /// How much crisper edges get, 0 to 150.
  public var amount = 0.0
  /// The standard deviation of the blur that edges are measured against, in pixels, 0.5 to 3.
  public var radius = 1.0
  /// Differences below this number are not sharpened, in codes of 255, 0 to 50.
  public var threshold = 2.0

  /// Changes nothing.
  public init() {}

  /// Whether no edge gets crisper.
  public var isNeutral: Bool { amount == 0 }
}
