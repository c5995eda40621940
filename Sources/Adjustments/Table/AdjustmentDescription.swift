/// An adjustment as data: what help, options and user interfaces are made from.
public struct AdjustmentDescription: Sendable, Hashable {
  /// The stable name in edits, such as `tone-curve`.
  public let id: String
  /// The revision of the parameters and of their meaning.
  public let version: Int
  /// The part of an edit that it belongs to.
  public let group: AdjustmentGroup
  /// One sentence on what it does to a picture.
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
    parameters = type.parameters.map { ParameterDescription($0) }
  }

  private static func describe<Value: Adjustment>(_ type: Value.Type) -> AdjustmentDescription {
    AdjustmentDescription(of: type)
  }

  /// The adjustment of an id, or the one with a parameter that has such an option; `nil` for none.
  public static func named(_ name: String) -> AdjustmentDescription? {
    let name = AdjustmentRegistry.currentName(name)
    return all.first { $0.id == name }
      ?? all.first { $0.parameters.contains { $0.option == name } }
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
