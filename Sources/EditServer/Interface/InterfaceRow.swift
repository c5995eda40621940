import PhotoEditing

/// One thing that clients can ask for, as a row of the interface's table has it: the server finds the request by it and
/// checks it, and the OpenAPI document describes it.
struct InterfaceRow: Sendable {
  /// Its name, the document's `operationId`.
  let id: String
  let method: String
  /// The path, such as `/v1/photos/{photo}`.
  let path: String
  /// Whether a server that changes nothing answers it.
  let isReading: Bool
  /// The values behind the question mark, with their schemas.
  let query: [JSONValue.Member]
  /// The members that the body may have, with their schemas.
  let body: [JSONValue.Member]
  /// What the document says of it.
  let json: JSONValue

  /// Reads a row.
  ///
  /// - Parameters:
  ///   - tag: The group that it stands in.
  ///   - row: The row: a method with the path, `summary`, `description`, `query`, `headers`, `body`, and the answers by
  ///     status, each with its meaning, its schema or media type, and its header. `tagged` is JSON with an entity tag,
  ///     `picture` the media type of a picture.
  ///   - body: The body's schema, where that is not in the row.
  init(
    _ id: String, of tag: String, _ row: JSONValue, body: JSONValue? = nil,
    _ schemas: InterfaceSchemas
  ) {
    let method = ["GET", "POST", "PATCH", "DELETE"].first { row[$0] != nil } ?? ""
    let path = row[method]?.string ?? ""
    (self.id, self.method, self.path) = (id, method, path)
    isReading = method == "GET" || row["isReading"] == .bool(true)
    let body = body ?? row["body"].map { schemas.object($0, takesOthers: false) }
    self.body = body?["properties"]?.members ?? []
    query = schemas.fields(row["query"] ?? .null).map { .init($0.name, $0.schema) }
    let headers = schemas.fields(row["headers"] ?? .null).map {
      Self.parameter($0.name, in: "header", $0.schema)
    }
    let kept = [
      row["tagged"] != nil || row["picture"] != nil ? "ifNoneMatch" : nil,
      row["picture"] != nil ? "range" : nil,
      method == "POST" && !isReading ? "idempotencyKey" : nil,
    ]
    let parameters =
      (Self.names(in: path) + kept.compactMap(\.self)).map {
        InterfaceDescription.reference("parameters", $0)
      } + query.map { Self.parameter($0.key, in: "query", $0.value) } + headers
    let requestBody = body.map { body in
      JSONValue.object([
        "required": .bool(body["required"] != nil),
        "content": .object(["application/json": .object(["schema": body])]),
      ])
    }
    json = .object([
      "operationId": .string(id), "tags": .strings([tag]), "summary": row["summary"],
      "description": row["description"],
      "parameters": parameters.isEmpty ? nil : .array(parameters), "requestBody": requestBody,
      "responses": .object(
        Self.answers(row, schemas)
          + Self.errors(canConflict: path.contains("{") || body != nil)),
    ])
  }

  /// What the request has in its body, which says how large that may be.
  var content: Route.Content {
    let adjustments = InterfaceDescription.reference("schemas", "Adjustment")
    let hasFiles = body.contains { $0.value["anyOf"] != nil }
    if hasFiles || body.contains(where: { $0.value["items"] == adjustments }) { return .edit }
    let isLong = body.contains { ($0.value["maxItems"]?.integer ?? 0) >= JSONBody.mostElements }
    return isLong ? .photos : .values
  }

  /// The names in braces of a path.
  static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { String($0.dropFirst().dropLast()) }
  }

  /// A parameter of a request, with its meaning beside its schema.
  static func parameter(_ name: String, in place: String, _ schema: JSONValue) -> JSONValue {
    .object([
      "name": .string(name), "in": .string(place), "required": place == "path" ? .bool(true) : nil,
      "description": schema["description"],
      "schema": .object((schema.members ?? []).filter { $0.key != "description" }),
    ])
  }

  // MARK: - Answers

  private static func answers(_ row: JSONValue, _ schemas: InterfaceSchemas) -> [JSONValue.Member] {
    let tag = JSONValue.Member(
      "ETag",
      .object([
        "description": .string("Strong: other bytes have another one."),
        "schema": .object(["type": .string("string")]),
      ]))
    if let type = row["picture"]?.string {
      let fields = ["Accept-Ranges", "Cache-Control"].map { name in
        JSONValue.Member(name, .object(["schema": .object(["type": .string("string")])]))
      }
      func picture(_ meaning: String) -> JSONValue {
        answer(meaning, content(type), header: [tag] + fields)
      }
      return JSONValue.members([
        "200": picture("The picture."), "206": picture("The part that Range asks for."),
        "304": answer("The picture is what If-None-Match names."),
        "416": answer("The range lies outside of the picture."),
      ])
    }
    let isTagged = row["tagged"] != nil
    let own = (row.members ?? []).filter { $0.key.first?.isNumber == true }.map { member in
      let parts = member.value.elements ?? []
      let type = parts[1].string.flatMap { $0.contains("/") ? $0 : nil }
      let header = schemas.fields(parts.count > 2 ? parts[2] : .null).map { field in
        JSONValue.Member(
          field.name,
          .object(
            parameter(field.name, in: "header", field.schema).members?
              .filter { !["name", "in"].contains($0.key) } ?? []))
      }
      return JSONValue.Member(
        member.key,
        answer(
          parts[0].string ?? "",
          type.map { content($0) }
            ?? .object(["application/json": .object(["schema": schemas.schema(parts[1])])]),
          header: header + (isTagged ? [tag] : [])))
    }
    return own + (isTagged ? [.init("304", answer("Unchanged."))] : [])
  }

  /// The content of an answer that is no JSON.
  private static func content(_ type: String) -> JSONValue {
    let media =
      type.hasPrefix("text/") ? nil : type == "*/*" ? "application/octet-stream" : type
    return .object([
      type: .object([
        "schema": .object([
          "type": .string("string"), "contentMediaType": media.map { .string($0) },
        ])
      ])
    ])
  }

  private static func answer(
    _ meaning: String, _ content: JSONValue? = nil, header: [JSONValue.Member] = []
  ) -> JSONValue {
    .object([
      "description": .string(meaning), "content": content,
      "headers": header.isEmpty ? nil : .object(header),
    ])
  }

  /// The errors that a request can be answered with, which are the same for all of a kind.
  private static func errors(canConflict: Bool) -> [JSONValue.Member] {
    let statuses =
      ["400", "401", "403"] + (canConflict ? ["404", "409", "413", "415", "422", "503"] : [])
    return (statuses + ["default"]).map {
      .init($0, InterfaceDescription.reference("responses", "Error"))
    }
  }
}
