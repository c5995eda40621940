/// One adjustment as an edit stores it, with its id and version. Fields that this version of
/// Safelight does not know are kept as they were read.
public struct StackEntry: Sendable, Hashable {
  /// The adjustment's id.
  public let id: String
  /// The version that the entry was stored with.
  public let version: Int
  /// The adjustment, upgraded to this program's version; `nil` when the id is unknown or the
  /// version is newer.
  public let adjustment: (any Adjustment)?
  /// The entry as it is stored.
  public let json: JSONValue
  private let unknownMembers: [JSONValue.Member]

  /// The names of the stored fields that this version does not know.
  public var unknownFields: [String] { unknownMembers.map(\.key) }

  /// Two entries are equal when their stored texts are equal.
  public static func == (left: StackEntry, right: StackEntry) -> Bool { left.json == right.json }

  /// Hashes the stored text.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }

  /// An entry for an adjustment of this version.
  ///
  /// - Throws: ``AdjustmentError/parameter(id:name:range:problem:)`` when a value is out of range.
  public init<Value: Adjustment>(_ adjustment: Value) throws(AdjustmentError) {
    try self.init(adjustment, keeping: [])
  }

  /// The entry with another value of its adjustment. Fields of newer versions are kept.
  func changed<Value: Adjustment>(to adjustment: Value) throws(AdjustmentError) -> StackEntry {
    try StackEntry(adjustment, keeping: unknownMembers)
  }

  private init<Value: Adjustment>(
    _ adjustment: Value, keeping unknown: [JSONValue.Member]
  ) throws(AdjustmentError) {
    try adjustment.validate()
    let fields = Value.parameters.map { JSONValue.Member($0.name, $0.json(of: adjustment)) }
    self.init(
      id: Value.id, version: Value.version, adjustment: adjustment, unknown: unknown,
      json: .object(
        [
          JSONValue.Member("id", .string(Value.id)),
          JSONValue.Member("version", .number(Double(Value.version))),
        ] + fields + unknown))
  }

  /// Reads an entry.
  ///
  /// - Throws: ``AdjustmentError`` when the entry has no id or version, or a known parameter is
  ///   wrong.
  public init(json: JSONValue) throws(AdjustmentError) {
    guard let members = json.members, let stored = json["id"]?.string else {
      throw .malformed("an adjustment has no id")
    }
    let known = AdjustmentRegistry.type(id: stored)
    let id = known?.id ?? stored
    guard let version = json["version"]?.integer, version >= 1 else {
      throw .malformed("\(id) has no version")
    }
    let fields = members.filter { $0.key != "id" && $0.key != "version" }
    if let type = known, version <= type.version {
      self = try Self.known(type, version: version, fields: fields, json: json)
    } else {
      self.init(
        id: id, version: version, adjustment: nil, unknown: fields, json: json)
    }
  }

  private init(
    id: String, version: Int, adjustment: (any Adjustment)?, unknown: [JSONValue.Member],
    json: JSONValue
  ) {
    self.id = id
    self.version = version
    self.adjustment = adjustment
    unknownMembers = unknown
    self.json = json
  }

  private static func known<Value: Adjustment>(
    _ type: Value.Type, version: Int, fields stored: [JSONValue.Member], json: JSONValue
  ) throws(AdjustmentError) -> StackEntry {
    let names = Set(Value.parameters.map(\.name))
    var fields = stored.map { field in
      let name = AdjustmentRegistry.currentName(field.key)
      return names.contains(name) ? JSONValue.Member(name, field.value) : field
    }
    for earlier in version..<Value.version { Value.upgrade(&fields, from: earlier) }

    var adjustment = Value()
    var unknown = fields
    for parameter in Value.parameters {
      guard let field = fields.first(where: { $0.key == parameter.name }) else {
        guard parameter.isOptional else {
          throw .malformed("\(Value.id) has no \(parameter.name)")
        }
        continue
      }
      unknown.removeAll { $0.key == parameter.name }
      if let problem = parameter.set(field.value, on: &adjustment) {
        throw .parameter(
          id: Value.id, name: parameter.name, range: parameter.range, problem: problem)
      }
    }
    return StackEntry(
      id: Value.id, version: version, adjustment: adjustment, unknown: unknown, json: json)
  }
}

extension [JSONValue.Member] {
  /// Multiplies a stored number, for a parameter whose unit has changed. A field that is absent or
  /// no number is not changed.
  mutating func multiply(_ key: String, by factor: Double) {
    guard let index = firstIndex(where: { $0.key == key }), let number = self[index].value.number
    else { return }
    // 0.29 × 100 is 28.999999999999996 in doubles, but the stored number meant 29 hundredths.
    let product = (number * factor * 1e9).rounded() / 1e9
    self[index] = Element(key, .number(product))
  }
}
