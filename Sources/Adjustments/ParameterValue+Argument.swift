import FoundationEssentials

extension ParameterValue {
  /// A value of no particular kind.
  public static var typeName: String { "value" }
  /// As JSON has it.
  public static var argumentKind: String { kind }
  /// No list.
  public static var choices: [String] { [] }
  /// The range counts.
  public static var hasRange: Bool { true }

  /// Reads the value as JSON.
  public init?(argument: String, unit: ParameterUnit) {
    guard let json = try? JSONValue(parsing: argument.utf8) else { return nil }
    self.init(json: json.compact)
  }

  /// The value as JSON.
  public var argument: String { json.text }
}

extension Double {
  /// The word `number`.
  public static var typeName: String { "number" }
  /// A number with an example.
  public static var argumentKind: String { "a number, such as 0.5" }

  /// Reads `0.5`, `+0.5`, `-3` or `1e-3`; where the unit is a share, `50%` is 0.5, and where it is
  /// a percentage, 50.
  public init?(argument: String, unit: ParameterUnit) {
    let text = argument.withoutOuterSpaces
    guard text.hasSuffix("%") else {
      guard let number = Double(text) else { return nil }
      self = number
      return
    }
    guard unit == .share || unit == .percent, let number = Double(text.dropLast()) else {
      return nil
    }
    self = unit == .share ? number / 100 : number
  }
}

extension Double {
  /// The numbers between commas; `nil` when one of them is none.
  static func list(_ text: Substring) -> [Double]? {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(argument: String(part), unit: .none) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

extension Int {
  /// The word `integer`.
  public static var typeName: String { "integer" }
  /// A number without a fraction, with an example.
  public static var argumentKind: String { "a whole number, such as 3" }

  /// Reads `3`, `+3` or `-3`.
  public init?(argument: String, unit: ParameterUnit) {
    self.init(argument.withoutOuterSpaces)
  }
}

extension String {
  /// The word `text`.
  public static var typeName: String { "text" }
  /// A text has no range.
  public static var hasRange: Bool { false }

  /// Takes the text as it is.
  public init?(argument: String, unit: ParameterUnit) { self = argument }

  /// The text as it is.
  public var argument: String { self }
}

extension Bool {
  /// The word `boolean`.
  public static var typeName: String { "boolean" }
  /// The two words of which one is meant.
  public static var argumentKind: String { "yes or no" }
  /// The words that help shows; `true`, `false`, `on` and `off` are read too.
  public static var choices: [String] { ["yes", "no"] }
  /// A truth value has no range.
  public static var hasRange: Bool { false }

  /// Reads `yes`, `no`, `true`, `false`, `on` or `off`, in any case.
  public init?(argument: String, unit: ParameterUnit) {
    switch argument.lowercased() {
    case "yes", "true", "on": self = true
    case "no", "false", "off": self = false
    default: return nil
    }
  }

  /// `yes` or `no`.
  public var argument: String { self ? "yes" : "no" }
}

/// An enumeration of words is a parameter's value without further code: declare the conformance.
extension ParameterValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The words of which one is meant.
  public static var kind: String { "one of " + choices.joined(separator: ", ") }
  /// The word `choice`.
  public static var typeName: String { "choice" }
  /// The raw value of every case.
  public static var choices: [String] { allCases.map(\.rawValue) }
  /// Words have no range.
  public static var hasRange: Bool { false }

  /// Reads the text of a raw value.
  public init?(json: JSONValue) {
    guard let word = json.string else { return nil }
    self.init(rawValue: word)
  }

  /// The raw value as JSON.
  public var json: JSONValue { .string(rawValue) }
  /// Every case is right.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  /// Reads a raw value, in any case.
  public init?(argument: String, unit: ParameterUnit) {
    let word = argument.lowercased()
    guard let value = Self.allCases.first(where: { $0.rawValue.lowercased() == word }) else {
      return nil
    }
    self = value
  }

  /// The raw value.
  public var argument: String { rawValue }
}

extension StringProtocol {
  /// The text without white space at its ends.
  package var withoutOuterSpaces: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
