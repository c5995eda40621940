/// Removes haze or adds it, as if the air were clearer or thicker.
///
/// After He, Sun and Tang, "Single Image Haze Removal Using Dark Channel Prior" (CVPR 2009):
/// without haze, every small part of a picture has a pixel that is dark in at least one channel.
/// With haze, this channel shows the light of the air. On sRGB-encoded values, as in the paper, and
/// on the reduced picture of ``HighlightsShadows``:
///
/// 1. The dark channel of a pixel is the smallest channel, limited to 0…1, of all pixels at most
///    r columns and rows away, where r is 1/80 of the longer side, at least 1, rounded.
/// 2. The air A is the mean color of the pixels with the brightest dark channels: counted in 1024
///    equal intervals, of as many intervals from the top as have 0.1 % of the pixels. Each channel
///    of A is at least 0.25.
/// 3. The haze d is the dark channel of the picture divided by A, smoothed by the guided filter
///    (He, Sun and Tang, IEEE TPAMI 35, 2013; He and Sun, "Fast Guided Filter", 2015) of the reduced
///    picture, guided by luma, with a radius of 1/20 of the longer side, rounded to whole reduced
///    pixels, at least 1, and ε = 0.05; slope and offset are interpolated. It is limited to 0…1.
///
/// With a = amount / 100 and t = 1 − 0.68 a d, the pixel's lightness L and chroma C in OKLab become those that the light
/// without air has, at the pixel's hue: with the air's lightness and color (A_L, A_a, A_b),
///
///     L' = max(A_L + (L − A_L) / t, 0), above A_L with the mean of 1 / t and 1 in place of 1 / t
///     C' = C × max((1 − (1 − t) n) / t, 1), n = max((a A_a + b A_b) / (C² + 0.005²), 0)
///
/// n is how much of the color is the air's own, which gets no stronger. Taking the air's color away from each channel would
/// turn hues instead, gray to orange under a blue sky. A color that would leave sRGB gets the largest chroma that it can
/// have there, as with ``ColorMixer``. Below 0 a pixel is moved towards the air, on encoded values:
/// `in + (A − in) × 0.6 |a| × (0.35 + 0.65 d)`. Keeping the hue is Safelight's own.
public struct Dehaze: Adjustment {
  public static let id = "dehaze"
  public static let version = 1
  public static let group = AdjustmentGroup.detail
  public static let summary = "Removes haze or adds it."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much haze is removed; below 0 haze is added.")
  ]

  /// How much haze is removed, -100 to 100; below 0 haze is added.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
