import FoundationEssentials

/// Replaces each color by the color that a lookup table has for it.
///
/// The table is a 1D or 3D table, from a `.cube` file or a HaldCLUT picture, and acts on
/// sRGB-encoded values. A color outside the table's domain counts as the nearest color inside. The
/// edit holds the table, so it does not depend on the file.
public struct ColorLookup: Adjustment {
  public static let id = "lut"
  public static let version = 1
  public static let group = AdjustmentGroup.look
  public static let summary = "Replaces each color by the color that a lookup table has for it."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.title, "title", option: .none, required: true, summary: "The table's name for people."),
    Parameter(\.table, "table", option: .none, required: true, summary: "The packed table."),
  ]

  /// The table's name for people.
  public var title = "None"
  /// The table.
  public var table = PackedTable()

  /// No table, which changes nothing.
  public init() {}

  /// Whether there is no table, whatever the title says.
  public var isNeutral: Bool { table == PackedTable() }
}

extension ColorLookup {
  /// A lookup table as an edit keeps it: packed bytes, which only the renderer reads.
  ///
  /// As JSON: a text, the bytes in base64.
  public struct PackedTable: ParameterValue {
    /// The bytes in base64 (RFC 4648, with padding); empty for no table.
    public let base64: String

    /// No table.
    public init() {
      base64 = ""
    }

    /// Wraps packed bytes.
    public init(_ bytes: [UInt8]) {
      base64 = Data(bytes).base64EncodedString()
    }

    /// The packed bytes; `nil` when the text is not base64.
    public var bytes: [UInt8]? { Data(base64Encoded: base64).map { [UInt8]($0) } }

    public static var kind: String { "a text in base64" }
    public static var typeName: String { "table" }
    public static var hasRange: Bool { false }

    public init?(json: JSONValue) {
      guard let string = json.string else { return nil }
      base64 = string
    }

    public var json: JSONValue { .string(base64) }

    public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }
  }
}
