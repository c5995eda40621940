/// Turns the picture by quarters.
///
/// The turn joins the photo's own orientation: no pixel changes but for its place, and everything
/// after it, a crop for instance, sees the picture as it stands then.
public struct Rotate: Adjustment {
  public static let id = "rotate"
  public static let version = 1
  public static let group = AdjustmentGroup.geometry
  public static let summary = "Turns the picture by quarters."
  public static let parameters: [Parameter<Self>] = [
    Parameter(
      \.amount, "amount", range: 0...270, unit: .degrees,
      "How far the picture is turned clockwise.")
  ]

  /// How far the picture is turned clockwise.
  public var amount = QuarterTurns.none

  /// Changes nothing.
  public init() {}
}

/// Quarter turns clockwise.
///
/// As JSON: the degrees, 0, 90, 180 or 270.
public enum QuarterTurns: Int, CaseIterable, ParameterValue {
  /// Not turned.
  case none = 0
  /// A quarter clockwise: what was left is at the top.
  case right = 90
  /// Upside down.
  case half = 180
  /// A quarter counterclockwise: what was right is at the top.
  case left = 270

  public static var kind: String { "0, 90, 180 or 270" }
  public static var typeName: String { "degrees" }
  public static var argumentKind: String { "0, 90, 180, 270, left or right" }
  public static var choices: [String] { allCases.map { String($0.rawValue) } }
  public static var hasRange: Bool { false }

  /// Degrees clockwise; negative ones and those above a whole turn count too. `nil` when they are
  /// no quarter turns.
  public init?(degrees: Int) {
    self.init(rawValue: ((degrees % 360) + 360) % 360)
  }

  public init?(json: JSONValue) {
    guard let degrees = json.integer else { return nil }
    self.init(rawValue: degrees)
  }

  public var json: JSONValue { .number(Double(rawValue)) }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  /// Reads degrees, or `left` or `right`, in any case.
  public init?(argument: String, unit: ParameterUnit) {
    switch argument.lowercased() {
    case "left": self = .left
    case "right": self = .right
    default:
      guard let degrees = Int(argument: argument, unit: unit) else { return nil }
      self.init(degrees: degrees)
    }
  }

  public var argument: String { String(rawValue) }
}
