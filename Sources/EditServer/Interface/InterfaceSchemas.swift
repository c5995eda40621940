import PhotoEditing

/// Schemas as the interface's table writes them, in a few words.
///
/// A text is a type, its limits, what counts when nothing is given, and the meaning:
/// `integer 1...100 = 90: Of the JPEG.` The types are those of JSON Schema, and
/// - `any`;
/// - `[integer]`, a list, whose limits are its length;
/// - `string|null`, one of several types, `edited|original`, one of several words, and `'safelight'`, one word;
/// - `Photo`, a schema of the document;
/// - `@`, the shape of the member's own name, which members of several objects share.
///
/// An object has a text for each member. `?` stands behind names that may be missing, and members of the same kind stand
/// together. `$about` is its meaning; `$others` says whether it may have other members. A list with an object is a list of
/// such objects; a text may follow, whose type is `[]`.
struct InterfaceSchemas: Sendable {
  /// A member of an object.
  struct Field: Sendable {
    let name: String
    let isRequired: Bool
    let schema: JSONValue
  }

  /// What members of several objects have in common, by name.
  let shapes: JSONValue

  /// The schema of a text, an object or a list.
  func schema(_ short: JSONValue) -> JSONValue {
    if let text = short.string { return .object(Self.members(text)) }
    guard let list = short.elements else { return object(short) }
    return .object(
      Self.members(list.dropFirst().first?.string ?? "[]") + [.init("items", schema(list[0]))])
  }

  /// The schema of an object.
  ///
  /// - Parameter takesOthers: Whether it may have other members, where `$others` does not say.
  func object(_ short: JSONValue, takesOthers: Bool? = nil) -> JSONValue {
    let fields = fields(short)
    let required = fields.filter(\.isRequired).map(\.name)
    let others = short["$others"] ?? takesOthers.map { .bool($0) }
    return .object([
      "type": .string("object"), "description": short["$about"],
      "properties": .object(fields.map { .init($0.name, $0.schema) }),
      "required": required.isEmpty ? nil : .strings(required), "additionalProperties": others,
    ])
  }

  /// The members of an object.
  func fields(_ short: JSONValue) -> [Field] {
    (short.members ?? []).filter { !$0.key.hasPrefix("$") }.flatMap { member in
      member.key.split(separator: ", ").map { word in
        let name = String(word.hasSuffix("?") ? word.dropLast() : word)
        let short = member.value.string == "@" ? shapes[name] ?? .null : member.value
        return Field(name: name, isRequired: !word.hasSuffix("?"), schema: schema(short))
      }
    }
  }

  // MARK: - Texts

  /// The members of the schema of a text.
  private static func members(_ text: String) -> [JSONValue.Member] {
    let parts = text.split(separator: ": ", maxSplits: 1)
    let words = parts[0].split(separator: " ")
    let type = type(words[0])
    var members = type
    var isNeutral = false
    for word in words.dropFirst() {
      if word == "=" {
        isNeutral = true
      } else if isNeutral {
        members.append(.init("default", value(word)))
      } else if word.hasPrefix("~") {
        members.append(.init("pattern", .string(String(word.dropFirst()))))
      } else {
        members += limits(word, of: type.first?.value.string ?? "")
      }
    }
    if parts.count > 1 { members.append(.init("description", .string(String(parts[1])))) }
    return members
  }

  private static let types = ["string", "integer", "number", "boolean", "object", "null"]

  private static func type(_ word: Substring) -> [JSONValue.Member] {
    if word == "any" { return [] }
    if word.hasPrefix("[") {
      let items = word.dropFirst().dropLast()
      return JSONValue.members([
        "type": .string("array"), "items": items.isEmpty ? nil : .object(type(items)),
      ])
    }
    if word.first?.isUppercase == true {
      return InterfaceDescription.reference("schemas", String(word)).members ?? []
    }
    if word.hasPrefix("'") {
      let text = JSONValue.string(String(word.dropFirst().dropLast()))
      return JSONValue.members(["type": .string("string"), "const": text])
    }
    let choices = word.split(separator: "|").map(String.init)
    if choices.count > 1 {
      if choices.allSatisfy(types.contains) { return [.init("type", .strings(choices))] }
      return JSONValue.members(["type": .string("string"), "enum": .strings(choices)])
    }
    let isOpen = word == "object"
    return JSONValue.members([
      "type": .string(String(word)), "properties": isOpen ? .object([] as [JSONValue.Member]) : nil,
      "additionalProperties": isOpen ? .bool(true) : nil,
    ])
  }

  /// `1...100` as the least and the most of a type.
  private static func limits(_ word: Substring, of type: String) -> [JSONValue.Member] {
    let names: [String: (least: String, most: String)] = [
      "string": ("minLength", "maxLength"), "array": ("minItems", "maxItems"),
    ]
    let (least, most) = names[type] ?? ("minimum", "maximum")
    let ends = word.split(separator: "...", omittingEmptySubsequences: false)
    return zip([least, most], ends).compactMap { name, end in
      end.isEmpty ? nil : JSONValue.Member(name, value(end))
    }
  }

  /// A number, a truth, or a word.
  private static func value(_ word: Substring) -> JSONValue {
    (try? JSONValue(parsing: word.utf8)) ?? .string(String(word))
  }
}
