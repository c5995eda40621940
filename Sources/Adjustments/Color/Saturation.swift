/// Makes every color stronger or weaker alike.
///
/// On linear light, with luminance Y = 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709-6):
/// `out = Y + (1 + amount / 100) × (in − Y)`, so that every color keeps its luminance.
///
/// Versions 1 and 2 did the same on sRGB-encoded values, which made strong reds and blues darker.
/// Edits that were stored with them render as they did.
public struct Saturation: Adjustment {
  public static let id = "saturation"
  public static let version = 3
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

  /// Version 1 counted in shares of 1.
  public static func upgrade(_ fields: inout [JSONValue.Member], from version: Int) {
    if version == 1 { fields.multiply("amount", by: 100) }
  }
}
