/// What is wrong with the value of a parameter.
public enum ParameterProblem: Error, Hashable {
  /// The JSON is of another kind, such as a text where a number belongs.
  case wrongKind(expected: String)
  /// A number lies outside the parameter's range.
  case outOfRange(Double)
  /// The value breaks a rule of its own; the text ends a sentence that begins with the name.
  case invalid(String)
}

/// A type that a parameter can have.
public protocol ParameterValue: Sendable, Hashable {
  /// What JSON must hold, for error messages: `a number`.
  static var kind: String { get }
  /// Reads the value; `nil` when the JSON is of another kind.
  init?(json: JSONValue)
  /// The value as JSON.
  var json: JSONValue { get }
  /// What is wrong with the value, or `nil`.
  func problem(in range: ClosedRange<Double>) -> ParameterProblem?

  /// One word for the kind of value, such as `number`: what help puts between angle brackets, and
  /// the `type` in the table of adjustments.
  static var typeName: String { get }
  /// What somebody should type, for error messages: `a number, such as 0.5`.
  static var argumentKind: String { get }
  /// Every word that is allowed, where they can be listed; otherwise empty.
  static var choices: [String] { get }
  /// Whether a parameter's range limits the value.
  static var hasRange: Bool { get }
  /// Reads the value as people type it; `nil` when it means nothing here.
  ///
  /// - Parameters:
  ///   - argument: One word of a command line, which may have spaces in it.
  ///   - unit: What the parameter's numbers count.
  init?(argument: String, unit: ParameterUnit)
  /// The value as people type it; `init(argument:unit:)` reads it back.
  var argument: String { get }
}

extension Double: ParameterValue {
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
}

extension Int: ParameterValue {
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

  /// A text is right when it is not empty; the range does not apply.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? {
    isEmpty ? .invalid("is empty") : nil
  }
}

extension Bool: ParameterValue {
  /// A JSON truth value.
  public static var kind: String { "true or false" }

  /// Reads a JSON truth value.
  public init?(json: JSONValue) {
    guard case .bool(let truth) = json.content else { return nil }
    self = truth
  }

  /// The truth value as JSON.
  public var json: JSONValue { .bool(self) }

  /// A truth value is always right; the range does not apply.
  public func problem(in range: ClosedRange<Double>) -> ParameterProblem? { nil }
}
