import SafelightFormats

/// What is wrong with the value of a parameter.
public enum ParameterProblem: Error, Hashable {
  /// The JSON value has the wrong type, such as a text where a number belongs.
  case wrongKind(expected: String)
  /// A number lies outside the parameter's range.
  case outOfRange(Double)
  /// The value breaks another rule. The text says which, as in “must have two points at least”.
  case invalid(String)
  /// A part of the value cannot be used. The text says so in a sentence of its own; the name may be meant as one of the
  /// others.
  case unusable(String, name: String, among: [String])
}

/// A type that the value of a parameter can have.
///
/// ```swift
/// let value = Double(argument: "50%", unit: .share)  // 0.5
/// ```
public protocol ParameterValue: Sendable, Hashable {
  /// What JSON must hold, for error messages: `a number`.
  static var kind: String { get }
  /// Reads the value; `nil` when the JSON value has the wrong type.
  init?(json: JSONValue)
  /// The value as JSON.
  var json: JSONValue { get }
  /// What is wrong with the value, or `nil`.
  func problem(in range: ClosedRange<Double>) -> ParameterProblem?

  /// One word for the kind of value, such as `number`. Help shows it between angle brackets, and
  /// the table of adjustments as `type`.
  static var typeName: String { get }
  /// What people should type, for error messages: `a number, such as 0.5`.
  static var argumentKind: String { get }
  /// Every word that is allowed, where they can be listed; otherwise empty.
  static var choices: [String] { get }
  /// Whether a parameter's range limits the value.
  static var hasRange: Bool { get }
  /// What a JSON schema says of the value, besides the range and the default.
  static var schema: JSONValue { get }
  /// Reads the value as people type it; `nil` when the text is no such value.
  ///
  /// - Parameters:
  ///   - argument: One word of a command line, which may have spaces in it.
  ///   - unit: What the parameter's numbers count.
  init?(argument: String, unit: ParameterUnit)
  /// The value as people type it; `init(argument:unit:)` reads it back.
  var argument: String { get }
}

extension ParameterValue {
  /// The word `value`.
  public static var typeName: String { "value" }
  /// The same words as for JSON.
  public static var argumentKind: String { kind }
  /// An empty list.
  public static var choices: [String] { [] }
  /// True: the range limits the value.
  public static var hasRange: Bool { true }
  /// A text, one of ``choices`` where they can be listed.
  public static var schema: JSONValue {
    let type = JSONValue.Member("type", .string("string"))
    if choices.isEmpty { return .object([type]) }
    return .object([type, .init("enum", .array(choices.map { .string($0) }))])
  }

  /// Reads the value as JSON.
  public init?(argument: String, unit: ParameterUnit) {
    guard let json = try? JSONValue(parsing: argument.utf8) else { return nil }
    self.init(json: json.compact)
  }

  /// The value as JSON.
  public var argument: String { json.text }
}

extension Double: ParameterValue {
  /// The type `number`.
  public static var schema: JSONValue { .object([.init("type", .string("number"))]) }
  /// A JSON number.
  public static var kind: String { "a number" }

  /// Reads a JSON number.
  public init?(json: JSONValue) {
    guard let number = json.number else { return nil }
    self = number
  }

  /// The number as JSON.
  public var json: JSONValue { .number(self) }

  /// Whether the number is inside the range.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    range.contains(self) ? nil : .outOfRange(self)
  }

  /// The word `number`.
  public static var typeName: String { "number" }
  /// A number with an example.
  public static var argumentKind: String { "a number, such as 0.5" }

  /// Reads `0.5`, `+0.5`, `-3` or `1e-3`. `50%` is 0.5 when the unit is a share, and 50 when the
  /// unit is percent.
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

  /// Numbers separated by commas; `nil` when one of them is no number.
  static func list(_ text: Substring) -> [Double]? {
    var numbers: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(argument: String(part), unit: .none) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}

extension Int: ParameterValue {
  /// The type `integer`.
  public static var schema: JSONValue { .object([.init("type", .string("integer"))]) }
  /// A JSON number without a fraction.
  public static var kind: String { "a whole number" }

  /// Reads a JSON number without a fraction.
  public init?(json: JSONValue) {
    guard let integer = json.integer else { return nil }
    self = integer
  }

  /// The number as JSON.
  public var json: JSONValue { .number(Double(self)) }

  /// Whether the number is inside the range.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    Double(self).problem(in: range)
  }

  /// The word `integer`.
  public static var typeName: String { "integer" }
  /// A number without a fraction, with an example.
  public static var argumentKind: String { "a whole number, such as 3" }

  /// Reads `3`, `+3` or `-3`.
  public init?(argument: String, unit: ParameterUnit) {
    self.init(argument.withoutOuterSpaces)
  }
}

extension String: ParameterValue {
  /// A JSON text.
  public static var kind: String { "a text" }

  /// Reads a JSON text.
  public init?(json: JSONValue) {
    guard let string = json.string else { return nil }
    self = string
  }

  /// The text as JSON.
  public var json: JSONValue { .string(self) }

  /// A text is valid when it is not empty; the range does not apply.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    isEmpty ? .invalid("is empty") : nil
  }

  /// The word `text`.
  public static var typeName: String { "text" }
  /// A text has no range.
  public static var hasRange: Bool { false }

  /// Takes the text as it is.
  public init?(argument: String, unit: ParameterUnit) { self = argument }

  /// The text as it is.
  public var argument: String { self }
}

extension Bool: ParameterValue {
  /// The type `boolean`.
  public static var schema: JSONValue { .object([.init("type", .string("boolean"))]) }
  /// A JSON truth value.
  public static var kind: String { "true or false" }

  /// Reads a JSON truth value.
  public init?(json: JSONValue) {
    guard case .bool(let truth) = json.content else { return nil }
    self = truth
  }

  /// The truth value as JSON.
  public var json: JSONValue { .bool(self) }

  /// A truth value is always valid; the range does not apply.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }

  /// The word `boolean`.
  public static var typeName: String { "boolean" }
  /// The two words that people can type.
  public static var argumentKind: String { "yes or no" }
  /// The words that help shows; `true`, `false`, `on` and `off` are also read.
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

/// A parameter that may be left out: JSON has `null` or nothing then.
extension Optional: ParameterValue where Wrapped: ParameterValue {
  public static var kind: String { Wrapped.kind }
  public static var typeName: String { Wrapped.typeName }
  public static var argumentKind: String { Wrapped.argumentKind }
  public static var choices: [String] { Wrapped.choices }
  public static var hasRange: Bool { Wrapped.hasRange }
  public static var schema: JSONValue { Wrapped.schema }

  public init?(json: JSONValue) {
    if json == .null {
      self = .none
      return
    }
    guard let value = Wrapped(json: json) else { return nil }
    self = .some(value)
  }

  public var json: JSONValue { self?.json ?? .null }

  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    self?.problem(in: range)
  }

  public init?(argument: String, unit: ParameterUnit) {
    guard let value = Wrapped(argument: argument, unit: unit) else { return nil }
    self = .some(value)
  }

  public var argument: String { self?.argument ?? "" }
}

/// A number that an edit may leave to the photo, such as the color temperature that the camera chose: its neutral value is
/// what the photo says. It is that number wherever the photo is rendered, and “as shot” in edits and for people.
///
/// As JSON: a number, or `"as-shot"`.
package enum AsShotNumber: ParameterValue {
  /// As the photo says, which changes nothing.
  case asShot
  /// A number, whatever the photo says.
  case number(Double)

  private static let word = "as-shot"

  package static var kind: String { "a number or “\(word)”" }
  package static var typeName: String { Double.typeName }
  package static var argumentKind: String { "\(Double.argumentKind), or “\(word)”" }
  package static var schema: JSONValue {
    .object([
      .init("anyOf", .array([Double.schema, .object([.init("const", .string(word))])]))
    ])
  }

  package init?(json: JSONValue) {
    if json.string == Self.word {
      self = .asShot
    } else if let number = json.number {
      self = .number(number)
    } else {
      return nil
    }
  }

  package var json: JSONValue {
    if case .number(let number) = self { number.json } else { .string(Self.word) }
  }

  package func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    if case .number(let number) = self { number.problem(in: range) } else { nil }
  }

  package init?(argument: String, unit: ParameterUnit) {
    if argument.lowercased() == Self.word {
      self = .asShot
    } else if let number = Double(argument: argument, unit: unit) {
      self = .number(number)
    } else {
      return nil
    }
  }

  package var argument: String {
    if case .number(let number) = self { number.argument } else { Self.word }
  }
}

/// An enumeration with text raw values needs only the conformance to be the value of a parameter.
extension ParameterValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The words that people can type.
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
  /// Every case is valid.
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
