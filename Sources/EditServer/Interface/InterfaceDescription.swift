import FoundationEssentials
import PhotoEditing

/// The OpenAPI document: what is written by hand, and the addresses of the operations on edits, made from their table.
enum InterfaceDescription {
  /// The document, as clients get it.
  static let bytes = Array(json.text.utf8)

  /// The document as a value.
  static let json: JSONValue = {
    guard let document = try? JSONValue(parsing: EmbeddedPage.interface) else { return .null }
    return document.replacing("paths") { paths in
      var members = paths.members ?? []
      for operation in EditOperation.all where operation.hasOwnAddress {
        let path = "/v1/photos/{photo}/" + operation.address
        let post = [JSONValue.Member("post", operation.post)]
        if let index = members.firstIndex(where: { $0.key == path }) {
          members[index] = .init(path, .object((members[index].value.members ?? []) + post))
        } else {
          members.append(.init(path, .object(post)))
        }
      }
      return .object(
        members.map { path in
          .init(
            path.key,
            .object(
              (path.value.members ?? []).map { .init($0.key, withErrors($0.value, path.key)) }))
        })
    }
  }()

  /// A method with the errors that it can answer with, which are the same for all of a kind.
  private static func withErrors(_ method: JSONValue, _ path: String) -> JSONValue {
    let canConflict = path.contains("{") || method["requestBody"] != nil
    let errors =
      ["400", "401", "403"] + (canConflict ? ["404", "409", "413", "415", "422", "503"] : [])
      + ["default"]
    return method.replacing("responses") { responses in
      .object(
        (responses.members ?? []) + errors.map { .init($0, reference("responses", "Error")) })
    }
  }

  /// A part of the document that is said once.
  fileprivate static func reference(_ kind: String, _ name: String) -> JSONValue {
    .object(["$ref": .string("#/components/\(kind)/\(name)")])
  }
}

extension JSONValue {
  /// The object with another value under a key.
  fileprivate func replacing(_ key: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.key == key ? .init(key, change($0.value)) : $0 })
  }
}

extension EditOperationDescription {
  /// What the document says of the operation's request.
  fileprivate var post: JSONValue {
    func content(_ schema: JSONValue) -> JSONValue {
      .object(["application/json": .object(["schema": schema])])
    }
    return .object([
      "operationId": .string(identifier), "tags": .strings(["edits"]), "summary": .string(summary),
      "description": .string(
        "The report has the photo's new `revision`. What cannot be given together is refused with 400."
      ),
      "parameters": .array([
        InterfaceDescription.reference("parameters", "photo"),
        InterfaceDescription.reference("parameters", "idempotencyKey"),
      ]),
      "requestBody": .object([
        "required": .bool(parameters.contains(where: \.isRequired)),
        "content": content(bodySchema),
      ]),
      "responses": .object([
        "200": .object([
          "description": .string("What was done."),
          "content": content(InterfaceDescription.reference("schemas", "Report")),
        ])
      ]),
    ])
  }

  /// The body: the parameters, with edits as the document describes them. The whole edit is taken where parts of it are.
  private var bodySchema: JSONValue {
    let edit = JSONValue.object([
      "type": .string("array"),
      "items": .object(["$ref": .string("#/components/schemas/Adjustment")]),
      "description": .string("A whole edit: adjustments and filters. The order does not matter."),
      "maxItems": .integer(EditStack.mostAdjustments),
    ])
    let takesWhole = name == EditActions.Adjust.id
    let others = takesWhole ? [JSONValue.Member("adjustments", edit)] : []
    return schema(with: others + Self.common(takesQuality)).replacing("properties") { properties in
      // No request names a file: a photo has an identifier, and a filter a name.
      .object(
        (properties.replacing("adjustments") { _ in edit }.members ?? []).compactMap { property in
          switch parameters.first(where: { $0.name == property.key })?.typeName {
          case FileName.typeName? where name != EditActions.Copy.id: nil
          case FileName.typeName?:
            .init(property.key, Self.text("The photo whose edit is copied, by id."))
          case FilterName.typeName?:
            .init(property.key, Self.text("The name of a filter; `/v1/filters` lists them."))
          default: property
          }
        })
    }
  }

  private static func text(_ description: String) -> JSONValue {
    .object(["type": .string("string"), "description": .string(description)])
  }

  /// `go-to-step` as `goToStep`.
  private var identifier: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words[0])) { text, word in
      text + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// What every request for an operation can have.
  private static func common(_ takesQuality: Bool) -> [JSONValue.Member] {
    JSONValue.members([
      "revision": .object([
        "type": .string("string"),
        "description": .string(
          "The revision that the change is based on. When the photo has another one, nothing changes and the answer is 409 with the code input-outdated."
        ),
      ]),
      "dryRun": .object([
        "type": .string("boolean"), "default": .bool(false),
        "description": .string("Only say what would happen."),
      ]),
      "quality": takesQuality
        ? .object([
          "type": .string("integer"), "minimum": .integer(1), "maximum": .integer(100),
          "description": .string(
            "Of the rendered JPEG, also for later edits; without it what was given before, or as good as the original."
          ),
        ]) : nil,
    ])
  }
}
