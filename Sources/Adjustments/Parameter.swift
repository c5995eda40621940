import FoundationEssentials
import SafelightFormats

/// What the number of a parameter counts.
public enum ParameterUnit: String, Sendable, Hashable {
  /// A share or factor without a unit.
  case none = ""
  /// A share of the whole effect, where 1 is all of it.
  case share
  /// Hundredths of the whole effect, where 100 is all of it.
  case percent
  /// Doublings of light, as apertures and shutters count them.
  case stops
  /// The temperature of light, in kelvin.
  case kelvin
  /// Degrees of an angle; a turn of the picture is clockwise.
  case degrees
  /// Pixels of the full-size photo; in a preview, radii shrink with the picture.
  case pixels
}

/// The option of a parameter on the command line.
public enum ParameterOption: Sendable, Hashable {
  /// The id of the adjustment for the parameter `amount`; for other parameters the id and the name:
  /// `--sharpen`, `--sharpen-radius`.
  case derived
  /// A name of its own, without dashes, such as `temperature`.
  case named(String)
  /// No name: the parameter is a word of its own, before the photos.
  case word
  /// No option: the parameter is set by other means.
  case none
}

/// A type whose values are described by a table of parameters: an adjustment, or an operation on a photo's edit.
public protocol Parameterized: Sendable, Hashable {
  /// The stable name in JSON and on the command line, such as `tone-curve`.
  static var id: String { get }
  /// Every parameter, in the order in which JSON has them.
  static var parameters: [Parameter<Self>] { get }
  /// The option of a parameter whose row names none, without dashes.
  static func option(named parameter: String) -> String

  /// All parameters at their neutral values.
  init()
}

extension Parameterized {
  /// `midPoint` as `mid-point`.
  static func hyphenated(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }

  /// The name with hyphens, such as `keep-render`.
  public static func option(named parameter: String) -> String { hyphenated(parameter) }

  /// The descriptions of all parameters.
  package static var parameterDescriptions: [ParameterDescription] {
    parameters.map { ParameterDescription($0) }
  }

  /// Sets a parameter to a value of JSON, or to a value as people type it when it is a text.
  ///
  /// - Returns: What is wrong with the value; `nil` when it is set.
  package mutating func set(_ name: String, to json: JSONValue) -> ParameterProblem? {
    guard let parameter = Self.parameters.first(where: { $0.name == name }) else {
      return .invalid("is not known")
    }
    var changed = self
    var problem = parameter.set(json, on: &changed)
    // A choice is a text in both forms, and one of its words is tried as it is.
    if problem != nil, let text = json.string {
      do throws(AdjustmentError) {
        problem = parameter.set(try parameter.json(argument: text), on: &changed)
      } catch {
        if case .parameter(_, _, _, let other) = error { problem = other }
      }
    }
    if problem == nil { self = changed }
    return problem
  }

  /// The parameters that do not have their neutral value, in the order of the table, as JSON.
  package var members: [JSONValue.Member] {
    let neutral = Self()
    return Self.parameters.compactMap { parameter in
      let value = parameter.json(of: self)
      return value == parameter.json(of: neutral) ? nil : .init(parameter.name, value)
    }
  }
}

/// One parameter of an adjustment or an operation: its name, limits and meaning.
///
/// Validation, JSON, help and user interfaces all use these descriptions; ``Adjustment`` has an
/// example.
public struct Parameter<Owner: Parameterized>: Sendable {
  /// The key in JSON, in lower camel case.
  public let name: String
  /// The smallest and largest number allowed, ends included.
  public let range: ClosedRange<Double>
  /// What the numbers count.
  public let unit: ParameterUnit
  /// One sentence for people.
  public let summary: String
  /// The option that sets the parameter on the command line, without dashes; `nil` when none does.
  public let option: String?
  /// Whether the parameter is a word of its own on the command line, without a name.
  public let isWord: Bool
  /// Whether an edit may omit the parameter, which then has its neutral value.
  public let isOptional: Bool
  /// One word for the kind of value, such as `number`.
  public let typeName: String
  /// Every word that is allowed, where they can be listed; otherwise empty.
  public let choices: [String]
  /// Whether the range limits the value.
  public let hasRange: Bool
  /// What a JSON schema says of the value, besides the range and the default.
  let schema: JSONValue

  private let read: @Sendable (Owner) -> JSONValue
  private let write: @Sendable (inout Owner, JSONValue) -> ParameterProblem?
  private let problem: @Sendable (Owner) -> ParameterProblem?
  private let writeArgument: @Sendable (Owner) -> String
  private let readArgument: @Sendable (String) -> Result<JSONValue, ParameterProblem>

  /// Describes the property at `keyPath`.
  ///
  /// - Parameters:
  ///   - keyPath: Where the adjustment holds the value.
  ///   - name: The key in JSON.
  ///   - range: Smallest and largest number that any part of the value may have.
  ///   - unit: What the numbers count.
  ///   - option: What sets the parameter on the command line.
  ///   - required: Whether JSON without the parameter is refused.
  ///   - summary: One sentence for people.
  public init<Value: ParameterValue>(
    _ keyPath: any WritableKeyPath<Owner, Value> & Sendable, _ name: String,
    range: ClosedRange<Double> = 0...1, unit: ParameterUnit = .none,
    option: ParameterOption = .derived, required: Bool = false, summary: String
  ) {
    self.name = name
    self.range = range
    self.unit = unit
    self.summary = summary
    self.isOptional = !required
    self.option =
      switch option {
      case .derived: Owner.option(named: name)
      case .named(let option): option
      case .word, .none: nil
      }
    isWord = option == .word
    typeName = Value.typeName
    choices = Value.choices
    hasRange = Value.hasRange
    schema = Value.schema
    read = { $0[keyPath: keyPath].json }
    write = { owner, json in
      guard let value = Value(json: json) else { return .wrongKind(expected: Value.kind) }
      owner[keyPath: keyPath] = value
      return value.problem(in: range)
    }
    problem = { $0[keyPath: keyPath].problem(in: range) }
    writeArgument = { $0[keyPath: keyPath].argument }
    readArgument = { text in
      guard let value = Value(argument: text, unit: unit) else {
        return .failure(.wrongKind(expected: Value.argumentKind))
      }
      return value.problem(in: range).map(Result.failure) ?? .success(value.json)
    }
  }

  func json(of owner: Owner) -> JSONValue { read(owner) }

  func set(_ json: JSONValue, on owner: inout Owner) -> ParameterProblem? { write(&owner, json) }

  /// The value as people type it.
  func argument(of owner: Owner) -> String { writeArgument(owner) }

  /// The JSON of a value as people type it.
  func json(argument: String) throws(AdjustmentError) -> JSONValue {
    switch readArgument(argument) {
    case .success(let json): return json
    case .failure(let problem):
      throw .parameter(id: Owner.id, name: name, range: range, problem: problem)
    }
  }

  func check(_ owner: Owner) -> ParameterProblem? { problem(owner) }
}

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
