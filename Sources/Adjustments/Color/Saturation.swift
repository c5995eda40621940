/// Makes every color stronger or weaker alike.
///
/// On linear light, with luminance Y = 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709-6):
/// `out = Y + (1 + amount / 100) × (in − Y)`, so that every color keeps its luminance.
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

  /// -100 leaves gray, 0 changes nothing, 100 doubles the distance from gray.
  public var amount = 0.0

  /// Changes nothing.
  public init() {}
}
