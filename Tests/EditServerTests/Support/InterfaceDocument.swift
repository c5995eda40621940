import SafelightFormats
import Testing

@testable import SafelightEditServer

/// The OpenAPI document, read so that answers can be held against it.
struct InterfaceDocument {
  /// One method of one path.
  struct Operation {
    let id: String
    let method: String
    let path: String
    fileprivate let responses: JSONValue
    fileprivate let json: JSONValue
  }

  let json: JSONValue
  let operations: [Operation]

  init() throws {
    json = try JSONValue(parsing: InterfaceDescription.bytes)
    let paths = try #require(json["paths"]?.members)
    operations = try paths.flatMap { path in
      try (path.value.members ?? []).map { method in
        Operation(
          id: try #require(method.value["operationId"]?.string), method: method.key.uppercased(),
          path: path.key, responses: try #require(method.value["responses"]), json: method.value)
      }
    }
  }

  func operation(_ id: String) throws -> Operation {
    try #require(operations.first { $0.id == id }, "There is no operation \(id).")
  }

  /// What an answer does not have of what the document promises; empty when it keeps all of it.
  func problems(of reply: Reply, to operation: Operation) -> [String] {
    guard let described = operation.responses["\(reply.status)"].map(resolved) else {
      return [
        "\(operation.id): the status \(reply.status) is not described: \(reply.text.prefix(200))"
      ]
    }
    var problems: [String] = []
    for field in described["headers"]?.members ?? [] where field.key.hasPrefix("Safelight") == false
    {
      if reply.fields[field.key.lowercased()] == nil {
        problems.append("\(operation.id): the field \(field.key) is missing")
      }
    }
    guard let content = described["content"]?.members, !reply.body.isEmpty else { return problems }
    let type = reply.fields["content-type"]?.prefix { $0 != ";" } ?? ""
    guard let form = content.first(where: { $0.key == type || $0.key == "*/*" }) else {
      return problems + ["\(operation.id): the type \(type) is not described"]
    }
    guard type == "application/json", let schema = form.value["schema"] else { return problems }
    return problems + differences(reply.json, schema, operation.id)
  }

  /// Whether a body is what the document asks for.
  func problems(ofBody body: JSONValue, for operation: Operation) -> [String] {
    guard
      let schema = operation.json["requestBody"]?["content"]?["application/json"]?["schema"]
    else { return ["\(operation.id) takes no body"] }
    return differences(body, schema, operation.id + " body")
  }

  private func resolved(_ json: JSONValue) -> JSONValue {
    guard let reference = json["$ref"]?.string else { return json }
    var found: JSONValue? = self.json
    for name in reference.dropFirst(2).split(separator: "/") { found = found?[String(name)] }
    return found ?? .null
  }

  /// What a value is that a schema does not allow.
  private func differences(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
    let schema = resolved(schema)
    let types =
      schema["type"]?.elements?.compactMap(\.string) ?? schema["type"]?.string.map { [$0] }
    if let types,
      !types.contains(where: {
        $0 == value.typeName || ($0 == "number" && value.typeName == "integer")
      })
    {
      return ["\(place) is \(value.typeName) and not \(types.joined(separator: " or "))"]
    }
    if let words = schema["enum"]?.elements, !words.contains(value) {
      return ["\(place) is \(value.text)"]
    }
    if let constant = schema["const"], constant != value { return ["\(place) is \(value.text)"] }
    if let elements = value.elements, let items = schema["items"] {
      return elements.enumerated().flatMap { differences($1, items, "\(place)[\($0)]") }
    }
    guard let members = value.members else { return [] }
    let properties = schema["properties"]?.members ?? []
    var found = (schema["required"]?.elements ?? []).compactMap(\.string)
      .filter { value[$0] == nil }.map { "\(place).\($0) is missing" }
    for member in members {
      if let property = properties.first(where: { $0.key == member.key }) {
        found += differences(member.value, property.value, "\(place).\(member.key)")
      } else if schema["additionalProperties"] == .bool(false) {
        found.append("\(place).\(member.key) is not described")
      }
    }
    return found
  }
}

extension JSONValue {
  /// The word of JSON Schema for the kind of value.
  fileprivate var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "boolean"
    case .number: integer == nil ? "number" : "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}
