import FoundationEssentials

/// A stored edit: data in some program's format, with the identifier and version of that format.
///
/// These are the three values of PhotoKit's adjustment data. Any editor may commit data under its
/// own identifier; Safelight keeps data that it cannot read.
///
/// ```swift
/// let data = AdjustmentData(
///   formatIdentifier: "com.example.sketch", formatVersion: "1.0", data: Data("{}".utf8))
/// ```
public struct AdjustmentData: Sendable, Hashable, Codable {
  /// The most bytes that ``data`` may have: 8 MiB. PhotoKit has a limit too but does not name it;
  /// this number is Safelight's own.
  public static let maximumSize = 8 << 20

  /// The format of ``data`` as a reverse DNS name, such as `org.safelight.edit`.
  public let formatIdentifier: String
  /// The revision of the format; ``FormatVersion`` compares two revisions.
  public let formatVersion: String
  /// The edit. A commit refuses empty data and data larger than ``maximumSize``.
  public let data: Data

  /// Wraps an encoded edit.
  ///
  /// - Parameters:
  ///   - formatIdentifier: Reverse DNS name of the format.
  ///   - formatVersion: Dotted integers, such as `1.10`.
  ///   - data: The encoded edit, from 1 byte to ``maximumSize``. Pictures belong into the render.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }
}

/// A version number that compares as dotted integers, as AAE files need: 1.10 is newer than 1.9.
///
/// Missing parts count as zero, so 1 and 1.0 are equal.
///
/// ```swift
/// let isNewer = FormatVersion("1.10")! > FormatVersion("1.9")!  // true
/// ```
public struct FormatVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers between the dots, most significant first, without trailing zeros.
  public let components: [Int]

  /// The version in a text such as `1.10`; `nil` when a part is not a whole number from 0 up.
  public init?(_ text: String) {
    var components: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else {
        return nil
      }
      components.append(number)
    }
    while components.last == 0 { components.removeLast() }
    self.components = components
  }

  /// The first number. A program that can read a version can read all versions with the same first
  /// number.
  public var major: Int { components.first ?? 0 }

  /// The numbers joined by dots, at least two of them: `1.0`.
  public var description: String {
    let padded = components + Array(repeating: 0, count: max(0, 2 - components.count))
    return padded.map(String.init).joined(separator: ".")
  }

  /// Orders by the first number that differs.
  public static func < (left: FormatVersion, right: FormatVersion) -> Bool {
    left.components.lexicographicallyPrecedes(right.components)
  }
}

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

  /// The entry as this version writes it, whoever wrote it; an entry of another version as it is.
  var rewritten: StackEntry {
    guard let adjustment, type(of: adjustment).version == version else { return self }
    return (try? changed(to: adjustment)) ?? self
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
    try self.init(json: json, type: AdjustmentRegistry.type(id:))
  }

  /// - Parameter type: The adjustment with an id; `nil` when there is none.
  init(json: JSONValue, type: (String) -> (any Adjustment.Type)?) throws(AdjustmentError) {
    guard let members = json.members, let id = json["id"]?.string else {
      throw .malformed("an adjustment has no id")
    }
    guard let version = json["version"]?.integer, version >= 1 else {
      throw .malformed("\(id) has no version")
    }
    let fields = members.filter { $0.key != "id" && $0.key != "version" }
    if let type = type(id), version <= type.version {
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
    var fields = stored
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
