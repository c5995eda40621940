import PhotoEditing
import SafelightArguments

/// One argument of a tool: its name, what it takes, and what it means. The schema for clients and the check of what
/// they send come from the same table.
struct ToolArgument: Sendable {
  /// What an argument takes.
  indirect enum Kind: Sendable {
    /// A text of at most 4,096 bytes.
    case text
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case flag
    case choice([String])
    /// Values of one kind, at least one.
    case list(Kind, most: Int)
    case object([ToolArgument])
    /// A parameter of an operation, which checks it.
    case parameter(ParameterDescription)
  }

  let name: String
  let kind: Kind
  /// One or two sentences for a language model.
  let summary: String
  var isRequired = false
  /// What it is when it is left out.
  var neutral: JSONValue?

  init(
    _ name: String, _ kind: Kind, required: Bool = false,
    default neutral: (any JSONConvertible)? = nil,
    _ summary: String
  ) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
    isRequired = required
    self.neutral = neutral?.json
  }

  /// A parameter of an operation.
  init(_ parameter: ParameterDescription, named name: String? = nil) {
    self.init(
      name ?? parameter.name, .parameter(parameter),
      required: parameter.isRequired && name == nil, parameter.summary)
  }

  /// The same without explanations, which another tool gives.
  var brief: ToolArgument {
    var brief = ToolArgument(name, kind.brief, required: isRequired, "")
    brief.neutral = neutral
    return brief
  }
}

extension ToolArgument.Kind {
  fileprivate var brief: ToolArgument.Kind {
    if case .object(let members) = self { .object(members.map(\.brief)) } else { self }
  }
}

// MARK: - For clients

extension ToolArgument {
  /// A JSON schema of an object with these arguments and no others.
  static func schema(of arguments: [ToolArgument]) -> JSONValue {
    let required = arguments.filter(\.isRequired).map(\.name)
    return .object([
      "type": "object",
      "properties": JSONValue.object(arguments.map { JSONValue.Member($0.name, $0.schema) }),
      "required": required.isEmpty ? nil : required, "additionalProperties": false,
    ])
  }

  private var schema: JSONValue {
    .object(
      (kind.schema.members ?? []).filter { $0.key != "description" }
        + JSONValue.members([
          "default": neutral, "description": summary.isEmpty ? nil : summary,
        ]))
  }
}

extension ToolArgument.Kind {
  fileprivate var schema: JSONValue {
    switch self {
    case .text: .object(["type": "string"])
    case .integer(let range):
      .object(["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound])
    case .number(let range):
      .object(["type": "number", "minimum": range.lowerBound, "maximum": range.upperBound])
    case .flag: .object(["type": "boolean"])
    case .choice(let words): .object(["type": "string", "enum": words])
    case .list(let kind, let most):
      .object(["type": "array", "items": kind.schema, "minItems": 1, "maxItems": most])
    case .object(let members): ToolArgument.schema(of: members)
    case .parameter(let parameter): parameter.schema
    }
  }
}

// MARK: - What clients send

extension ToolArgument {
  /// Checks the members of an object against a table.
  ///
  /// - Parameter place: Where the object is, for messages; empty for the arguments themselves.
  /// - Throws: ``AgentError/invalidArguments(_:)``.
  static func check(
    _ json: JSONValue, _ arguments: [ToolArgument], at place: String = ""
  ) throws(AgentError) {
    for member in json.members ?? [] {
      guard let argument = arguments.first(where: { $0.name == member.key }) else {
        let names = arguments.map(\.name)
        let advice =
          didYouMean(nearest(to: member.key, among: names))
          ?? (names.isEmpty ? "It takes none." : "It takes \(names.joined(separator: ", ")).")
        throw .invalidArguments(
          "There is no argument “\(place)\(member.key.prefix(100))”. \(advice)")
      }
      try argument.kind.check(member.value, place + argument.name)
    }
    if let missing = arguments.first(where: { $0.isRequired && json[$0.name] == nil }) {
      throw .invalidArguments(
        "The argument “\(place)\(missing.name)” is missing: \(missing.summary)")
    }
  }
}

extension ToolArgument.Kind {
  fileprivate func check(_ json: JSONValue, _ name: String) throws(AgentError) {
    func refuse(_ wish: String) -> AgentError {
      .invalidArguments("“\(name)” must be \(wish), not \(json.shortened).")
    }
    switch self {
    case .text:
      guard let text = json.string else { throw refuse("a text") }
      guard text.utf8.count <= 4096 else { throw refuse("a text of at most 4,096 bytes") }
    case .integer(let range):
      guard let number = json.integer, range.contains(number) else {
        throw refuse("a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
    case .number(let range):
      guard let number = json.number, range.contains(number) else {
        let (from, to) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
        throw refuse("a number from \(from.text) to \(to.text)")
      }
    case .flag: guard case .bool = json.content else { throw refuse("true or false") }
    case .choice(let words):
      guard let word = json.string, words.contains(word) else {
        throw refuse("one of " + words.map { "“\($0)”" }.joined(separator: ", "))
      }
    case .list(let kind, let most):
      guard let elements = json.elements, (1...most).contains(elements.count) else {
        throw refuse("a list of 1 to \(most)")
      }
      for (index, element) in elements.enumerated() {
        try kind.check(element, "\(name)[\(index)]")
      }
    case .object(let members):
      guard json.members != nil else { throw refuse("an object") }
      try ToolArgument.check(json, members, at: name + ".")
    case .parameter: break
    }
  }
}

extension JSONValue {
  /// Whether a member is `true`.
  func flag(_ key: String) -> Bool {
    if case .bool(true) = self[key]?.content { true } else { false }
  }
}
