/// Turns all hues around the color wheel by the same angle; tones keep their lightness.
///
/// In OKLab, from linear light: (a, b) are turned by `amount`, from red towards yellow and green, so
/// that lightness and chroma stay as they are seen. A color that would leave sRGB gets less chroma or
/// less light, as with ``Saturation``, whose k is here 1 + min(|sin(amount / 2)| / 2, 0.1). Colors that lie
/// outside already may stay as far outside.
///
/// Source: B. Ottosson, "A perceptual color space for image processing", 2020.
public struct Hue: Adjustment {
  public static let id = "hue"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Turns all hues around the color wheel and keeps their lightness."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -180...180, unit: .degrees,
      summary: "How far hues turn, from red towards yellow and green; negative towards magenta.")
  ]

  /// Degrees of OKLab's hues, in which red is at 29, yellow at 110, green at 142 and blue at 264; 0
  /// changes nothing.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
