/// What the number of a parameter counts.
public enum ParameterUnit: String, Sendable, Hashable {
  /// A share or factor without a unit.
  case none = ""
  /// A share of the whole effect, where 1 is all of it.
  case share
}

/// One parameter of an adjustment: its name, limits and meaning.
///
/// Validation, JSON, help and user interfaces are all made from this table.
public struct Parameter<Owner>: Sendable {
  /// The key in JSON, in lower camel case.
  public let name: String
  /// The smallest and largest number allowed, ends included.
  public let range: ClosedRange<Double>
  /// What the numbers count.
  public let unit: ParameterUnit
  /// One sentence for people.
  public let summary: String
  /// Whether an edit may leave the parameter out, which then has its neutral value.
  public let isOptional: Bool

  private let read: @Sendable (Owner) -> JSONValue
  private let write: @Sendable (inout Owner, JSONValue) -> ParameterProblem?
  private let problem: @Sendable (Owner) -> ParameterProblem?

  /// Describes the property at `keyPath`.
  ///
  /// - Parameters:
  ///   - keyPath: Where the adjustment holds the value.
  ///   - name: The key in JSON.
  ///   - range: Smallest and largest number that any part of the value may have.
  ///   - unit: What the numbers count.
  ///   - required: Whether JSON without the parameter is refused.
  ///   - summary: One sentence for people.
  public init<Value: ParameterValue>(
    _ keyPath: any WritableKeyPath<Owner, Value> & Sendable, _ name: String,
    range: ClosedRange<Double> = 0...1, unit: ParameterUnit = .none, required: Bool = false,
    _ summary: String
  ) {
    self.name = name
    self.range = range
    self.unit = unit
    self.summary = summary
    self.isOptional = !required
    read = { $0[keyPath: keyPath].json }
    write = { owner, json in
      guard let value = Value(json: json) else { return .wrongKind(expected: Value.kind) }
      owner[keyPath: keyPath] = value
      return value.problem(in: range)
    }
    problem = { $0[keyPath: keyPath].problem(in: range) }
  }

  func json(of owner: Owner) -> JSONValue { read(owner) }

  func set(_ json: JSONValue, on owner: inout Owner) -> ParameterProblem? { write(&owner, json) }

  func check(_ owner: Owner) -> ParameterProblem? { problem(owner) }
}

/// What is wrong with the value of a parameter.
public enum ParameterProblem: Sendable, Hashable {
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
