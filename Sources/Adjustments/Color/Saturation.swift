/// Makes every color stronger or weaker alike.
///
/// In OKLab, from linear light, with k = 1 + amount / 100: a and b are multiplied by k. For k > 1 the lightness L stays. For
/// k < 1 the luminance Y = 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709-6) stays: light is multiplied by the Y before
/// through that after, from 1/4 to 4, which changes no hue. So -100 gives the grays of ``BlackAndWhite``. A color with a channel
/// below 0 gets the largest chroma with which it has none, at its lightness and hue. One with a channel above 1 keeps its
/// chroma as far as that channel stays below k³, and gets less light, all channels alike, until it is 1: at one lightness
/// the glow of a sun, whose first channel is full, would stay pale inside a ring. Where blue is the largest channel, others
/// may lie below 0 by 0.004 k³ times what it is larger by, and are cut off: on the way to a lamp's blue, red is below 0 for
/// a while.
///
/// On linear light alone, or by cutting channels off, saturation would turn hues: blue to violet, orange to yellow.
/// Source of OKLab: B. Ottosson, "A perceptual color space for image processing", 2020.
public struct Saturation: Adjustment {
  public static let id = "saturation"
  public static let version = 1
  public static let group = AdjustmentGroup.color
  public static let summary = "Makes every color stronger or weaker alike."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: -100...100, unit: .percent,
      summary: "How much stronger colors get; -100 leaves gray.")
  ]

  /// -100 leaves gray, 0 changes nothing, 100 doubles the chroma.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
