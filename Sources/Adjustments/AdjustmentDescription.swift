/// An adjustment as data, for help, options and user interfaces.
///
/// ```swift
/// for adjustment in AdjustmentDescription.all {
///   print(adjustment.id, adjustment.summary)
/// }
/// ```
public struct AdjustmentDescription: Sendable, Hashable, Identifiable {
  /// The stable name in edits, such as `tone-curve`.
  public let id: String
  /// The revision of the parameters and of their meaning.
  public let version: Int
  /// The group of the adjustment.
  public let group: AdjustmentGroup
  /// One sentence on what the adjustment does to a picture.
  public let summary: String
  /// Every parameter, in the order in which JSON has them.
  public let parameters: [ParameterDescription]

  /// Every adjustment of this version, in pipeline order.
  public static let all = AdjustmentRegistry.all.map { AdjustmentDescription($0) }

  /// Describes a type of adjustment.
  public init(_ type: any Adjustment.Type) {
    self = Self.describe(type)
  }

  private init<Value: Adjustment>(of type: Value.Type) {
    id = type.id
    version = type.version
    group = type.group
    summary = type.summary
    parameters = type.parameterDescriptions
  }

  private static func describe<Value: Adjustment>(_ type: Value.Type) -> AdjustmentDescription {
    AdjustmentDescription(of: type)
  }

  /// The adjustment with an id, or with a parameter whose option has this name; `nil` when there is
  /// none.
  public static func named(_ name: String) -> AdjustmentDescription? {
    all.first { $0.id == name }
      ?? all.first { $0.parameters.contains { $0.option == name } }
  }

  /// What edits can store under an id: an adjustment, or a layer.
  package static func stored(_ id: String) -> AdjustmentDescription? {
    AdjustmentRegistry.type(id: id).map { AdjustmentDescription($0) }
  }

  /// The description as JSON: `id`, `version`, `group`, `summary` and `parameters`.
  public var json: JSONValue {
    .object([
      .init("id", .string(id)), .init("version", .number(Double(version))),
      .init("group", .string(group.rawValue)), .init("summary", .string(summary)),
      .init("parameters", .array(parameters.map(\.json))),
    ])
  }
}

/// One parameter of an adjustment as data.
public struct ParameterDescription: Sendable, Hashable {
  /// The id of the adjustment that has the parameter.
  public let adjustment: String
  /// The key in the adjustment's JSON.
  public let name: String
  /// The option that sets it on the command line, without dashes; `nil` when none does.
  public let option: String?
  /// Whether the command line knows it by its place and not by an option, as the 90 in `edit rotate 90`.
  public let isWord: Bool
  /// Whether it must be given.
  public let isRequired: Bool
  /// One word for the kind of value, such as `number`, `curve` or `choice`.
  public let typeName: String
  /// The smallest and largest number allowed, ends included; `nil` where there are no numbers.
  public let range: ClosedRange<Double>?
  /// What the numbers count.
  public let unit: ParameterUnit
  /// Every word that is allowed, where they can be listed; otherwise empty.
  public let choices: [String]
  /// The value that changes nothing.
  public let neutral: JSONValue
  /// The value that changes nothing, as people type it.
  public let neutralArgument: String
  /// One sentence for people.
  public let summary: String
  private let type: JSONValue

  init<Owner: Parameterized>(_ parameter: Parameter<Owner>) {
    adjustment = Owner.id
    name = parameter.name
    option = parameter.option
    isWord = parameter.isWord
    isRequired = !parameter.isOptional
    typeName = parameter.typeName
    range = parameter.hasRange ? parameter.range : nil
    unit = parameter.unit
    choices = parameter.choices
    neutral = parameter.json(of: Owner())
    neutralArgument = parameter.argument(of: Owner())
    summary = parameter.summary
    type = parameter.schema
  }

  /// The JSON schema of the value: its type, its range, its default and its meaning.
  package var schema: JSONValue {
    var members = type.members ?? []
    if let range, type["type"]?.string == "number" || type["type"]?.string == "integer" {
      members.append(.init("minimum", .number(range.lowerBound)))
      members.append(.init("maximum", .number(range.upperBound)))
    }
    if !isRequired, neutral != .null, neutral.elements == nil, neutral.members == nil {
      members.append(.init("default", neutral))
    }
    return .object(members + [.init("description", .string(summary))])
  }

  /// The parameter that an option sets; `nil` when there is no such option.
  ///
  /// - Parameter option: The option without dashes, such as `saturation`.
  public static func option(_ option: String) -> ParameterDescription? {
    for adjustment in AdjustmentDescription.all {
      if let parameter = adjustment.parameters.first(where: { $0.option == option }) {
        return parameter
      }
    }
    return nil
  }

  /// What help says of the allowed values: `-5 to 5 stops, neutral 0`. The neutral value changes nothing.
  package var limits: String {
    var parts: [String] = []
    if let range {
      let (from, to) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
      let unit = unit == .none || unit == .share ? "" : " \(unit.rawValue)"
      parts.append("\(from.text) to \(to.text)\(unit)")
    }
    if !choices.isEmpty { parts.append(choices.joined(separator: ", ")) }
    if !neutralArgument.isEmpty { parts.append("neutral \(neutralArgument)") }
    return parts.joined(separator: choices.isEmpty ? ", " : "; ")
  }

  /// The description as JSON: `name`, `option`, `type`, `minimum`, `maximum`, `unit`, `values`,
  /// `default` and `summary`. Keys without a value are omitted.
  public var json: JSONValue {
    var members = [JSONValue.Member("name", .string(name))]
    if let option { members.append(.init("option", .string(option))) }
    members.append(.init("type", .string(typeName)))
    if let range {
      members.append(.init("minimum", .number(range.lowerBound)))
      members.append(.init("maximum", .number(range.upperBound)))
    }
    if unit != .none { members.append(.init("unit", .string(unit.rawValue))) }
    if !choices.isEmpty {
      members.append(.init("values", .array(choices.map { .string($0) })))
    }
    members.append(.init("default", neutral))
    members.append(.init("summary", .string(summary)))
    return .object(members)
  }
}

/// A parameter with a value.
///
/// ```swift
/// let exposure = ParameterDescription.option("exposure")!
/// var edit = EditStack()
/// try edit.set([ParameterSetting(exposure, argument: "0.5")])
/// ```
public struct ParameterSetting: Sendable, Hashable {
  /// The parameter.
  public let parameter: ParameterDescription
  /// The value, as an edit stores it.
  public let value: JSONValue
  /// The value as people type it.
  public let argument: String

  /// A parameter with a value as people type it, such as `0.5`, `20%` or, for a curve,
  /// `0,0 0.5,0.6 1,1`.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` when the parameter cannot have
  ///   the value.
  public init(_ parameter: ParameterDescription, argument: String) throws(AdjustmentError) {
    guard let type = AdjustmentRegistry.type(id: parameter.adjustment) else {
      throw .unknownParameter(parameter.adjustment)
    }
    self = try Self.read(argument, for: parameter, of: type)
  }

  /// A parameter with a value as an edit stores it, or as people type it when it is a text.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` when the parameter cannot have the value.
  package init(_ parameter: ParameterDescription, json: JSONValue) throws(AdjustmentError) {
    guard let type = AdjustmentRegistry.type(id: parameter.adjustment) else {
      throw .unknownParameter(parameter.adjustment)
    }
    self = try Self.read(json, for: parameter, of: type)
  }

  init<Owner: Adjustment>(_ parameter: Parameter<Owner>, of owner: Owner) {
    self.parameter = ParameterDescription(parameter)
    value = parameter.json(of: owner)
    argument = parameter.argument(of: owner)
  }

  private static func read<Owner: Adjustment>(
    _ argument: String, for description: ParameterDescription, of type: Owner.Type
  ) throws(AdjustmentError) -> ParameterSetting {
    guard let parameter = Owner.parameters.first(where: { $0.name == description.name }) else {
      throw .unknownParameter(description.name)
    }
    return try setting(parameter, to: parameter.json(argument: argument))
  }

  private static func read<Owner: Adjustment>(
    _ json: JSONValue, for description: ParameterDescription, of type: Owner.Type
  ) throws(AdjustmentError) -> ParameterSetting {
    guard let parameter = Owner.parameters.first(where: { $0.name == description.name }) else {
      throw .unknownParameter(description.name)
    }
    var owner = Owner()
    // A choice is a text in both forms, and one of its words is tried as it is.
    if let text = json.string, parameter.set(json, on: &owner) != nil {
      return try setting(parameter, to: parameter.json(argument: text))
    }
    return try setting(parameter, to: json)
  }

  private static func setting<Owner: Adjustment>(
    _ parameter: Parameter<Owner>, to json: JSONValue
  ) throws(AdjustmentError) -> ParameterSetting {
    var owner = Owner()
    if let problem = parameter.set(json, on: &owner) {
      throw .parameter(id: Owner.id, name: parameter.name, range: parameter.range, problem: problem)
    }
    return ParameterSetting(parameter, of: owner)
  }
}

extension Adjustment {
  /// The parameters that do not have their neutral value, in the order in which JSON has them.
  public var settings: [ParameterSetting] {
    let neutral = Self()
    return Self.parameters.compactMap { parameter in
      parameter.json(of: self) == parameter.json(of: neutral)
        ? nil : ParameterSetting(parameter, of: self)
    }
  }
}
