/// Lifts the blacks and softens the contrast, as on faded film.
///
/// On sRGB-encoded values x, each channel alike, with a = amount / 100:
/// `out = x + a (0.18 (1 − x)³ − 0.05 x³)`. At 100 black is 0.18, white 0.95 and mid-gray nearly
/// where it was; dark tones lose contrast and with it color. Tones keep their order. Beyond 0 and
/// 1 the curve continues straight with its slope there. The formula is Safelight's own.
public struct Fade: Adjustment {
  public static let id = "fade"
  public static let version = 1
  public static let group = AdjustmentGroup.effects
  public static let summary = "Lifts the blacks and softens the contrast, as on faded film."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...100, unit: .percent, summary: "How faded the picture is.")
  ]

  /// 0 changes nothing, 100 is all of it.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
