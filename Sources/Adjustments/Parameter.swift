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
  /// Seconds of a video's own time.
  case seconds
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
  /// No option: the parameter is known by its place, before the photos.
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
  package var members: [JSONValue.Member] { members(with: []) }

  /// The parameters of some names, and those that do not have their neutral value, in the order of the table, as JSON.
  package func members(with names: Set<String>) -> [JSONValue.Member] {
    let neutral = Self()
    return Self.parameters.compactMap { parameter in
      let value = parameter.json(of: self)
      return value == parameter.json(of: neutral) && !names.contains(parameter.name)
        ? nil : .init(parameter.name, value)
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
  /// Whether the command line knows the parameter by its place and not by an option.
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
