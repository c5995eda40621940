/// Makes nine zones of brightness lighter or darker, each by its own stops, and keeps details.
///
/// The zones lie one stop apart, from 8 stops below white to white itself. Between them the stops
/// follow a smooth curve. All channels of a pixel are multiplied alike, so hue and saturation
/// stay. On linear light, with the base b of the pixel, an sRGB-encoded tone:
///
///     E    = log₂(light of b), limited to −8…0
///     g    = 2^s(E)
///     out  = in × g                    where g ≤ 1 or y ≤ 0.5
///     out  = in × g × m / y            elsewhere
///     m    = 0.5 + (y − 0.5) / (1 + (2 − 1 / (g − 0.5)) (y − 0.5))
///
/// with y = g × the largest channel: what gets brighter comes up a shoulder like that of ``Exposure`` and
/// never clips, and 1 stays 1. What gets darker is multiplied, white too.
///
/// s is the monotone cubic of ``ToneCurve`` through the stops of the zones; beyond the ends it is
/// level. Areas would change places where s falls too steeply. Where a zone has more than 0.45
/// stops less than the darker zone beside it, both are therefore moved: the curve goes through the
/// nearest stops, by the sum of squares, that fall by at most 0.45 from zone to zone. A single pixel
/// that is much lighter than a dark area around it may still come out darker than its neighbors of
/// other tones, where the stops fall as steeply as that.
///
/// The base is that of ``HighlightsShadows``, with encoded luminance (BT.709 weights on linear
/// light) in place of luma. So a zone is an area of the picture and not each pixel by itself, and
/// the details of an area keep their contrast.
///
/// The zones are those of darktable's tone equalizer (darktable 4.6 user manual); the arithmetic is
/// Safelight's own.
public struct ToneEqualizer: Adjustment {
  public static let id = "tone-equalizer"
  public static let version = 1
  public static let group = AdjustmentGroup.light
  public static let summary = "Makes nine zones of brightness lighter or darker, and keeps details."
  public static let parameters: [Parameter<Self>] = [
    zone(\.blacks, "blacks", at: "8 stops below white and darker"),
    zone(\.deepShadows, "deepShadows", at: "7 stops below white"),
    zone(\.shadows, "shadows", at: "6 stops below white"),
    zone(\.lightShadows, "lightShadows", at: "5 stops below white"),
    zone(\.midtones, "midtones", at: "4 stops below white"),
    zone(\.darkHighlights, "darkHighlights", at: "3 stops below white"),
    zone(\.highlights, "highlights", at: "2 stops below white"),
    zone(\.whites, "whites", at: "1 stop below white"),
    zone(\.speculars, "speculars", at: "white"),
  ]

  /// Stops for what lies 8 stops below white and darker, -2 to 2.
  public var blacks = 0.0
  /// Stops for what lies 7 stops below white, -2 to 2.
  public var deepShadows = 0.0
  /// Stops for what lies 6 stops below white, -2 to 2.
  public var shadows = 0.0
  /// Stops for what lies 5 stops below white, -2 to 2.
  public var lightShadows = 0.0
  /// Stops for what lies 4 stops below white, -2 to 2.
  public var midtones = 0.0
  /// Stops for what lies 3 stops below white, -2 to 2.
  public var darkHighlights = 0.0
  /// Stops for what lies 2 stops below white, -2 to 2.
  public var highlights = 0.0
  /// Stops for what lies 1 stop below white, -2 to 2.
  public var whites = 0.0
  /// Stops for white, -2 to 2.
  public var speculars = 0.0

  /// Changes nothing.
  public init() {}

  /// The stops of all zones, from dark to light.
  package var zones: [Double] {
    [
      blacks, deepShadows, shadows, lightShadows, midtones, darkHighlights, highlights, whites,
      speculars,
    ]
  }

  private static func zone(
    _ path: any WritableKeyPath<Self, Double> & Sendable, _ name: String, at place: String
  ) -> Parameter<Self> {
    Parameter(
      path, name, range: -2...2, unit: .stops, summary: "Stops of light for tones at \(place).")
  }
}
