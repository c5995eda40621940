import PhotoEditing

/// The interface as data: the rows that the server answers by, and the OpenAPI document that is made of them.
///
/// `interface.json` has the rows, what is said of them, and the schemas. Those of the operations on edits are made from
/// the operations' own table, and that of exports from an output's.
enum InterfaceDescription {
  private static let table = (try? JSONValue(parsing: EmbeddedPage.interface)) ?? .null

  static let schemas = InterfaceSchemas(shapes: table["shapes"] ?? .null)

  /// Everything that clients can ask for.
  static let rows: [InterfaceRow] =
    (table["routes"]?.members ?? []).flatMap { group in
      (group.value.members ?? []).map { row in
        InterfaceRow(row.key, of: group.key, row.value, schemas)
      }
    }
    + [export, savePreset]
    + EditOperation.all.filter(\.hasOwnAddress).map { operation in
      let row = JSONValue.members([
        "POST": .string("/v1/photos/{photo}/" + operation.address),
        "summary": .string(operation.summary),
      ])
      return InterfaceRow(
        operation.identifier, of: "edits", .object(row + (table["operation"]?.members ?? [])),
        body: operation.bodySchema, schemas)
    }

  /// The row of exported pictures, whose body is made from the description of an output.
  private static var export: InterfaceRow {
    let row = JSONValue.members([
      "POST": .string("/v1/photos/{photo}/export"),
      "summary": .string("Render the photo as a file of its own"),
    ])
    let original = schemas.fields(
      .object(["original?": .string("boolean = false: Without the photo's edit, upright.")]))
    return InterfaceRow(
      "export", of: "pictures", .object(row + (table["export"]?.members ?? [])),
      body: RenderOutput.parameterDescriptions.schema(
        with: original.map { .init($0.name, $0.schema) }), schemas)
  }

  /// The row of presets that are saved, whose body is an output.
  private static var savePreset: InterfaceRow {
    let row = JSONValue.members([
      "POST": .string("/v1/presets/{preset}"),
      "summary": .string("Save a preset: an output under a name"),
    ])
    let replace = schemas.fields(
      .object(["replace?": .string("boolean = false: Take the place of one of this name.")]))
    return InterfaceRow(
      "savePreset", of: "pictures", .object(row + (table["savePreset"]?.members ?? [])),
      body: RenderOutput.parameterDescriptions.schema(
        with: replace.map { .init($0.name, $0.schema) }), schemas)
  }

  private static let rowsByID = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })

  /// The row of a name. One that is not there cannot be served.
  static func row(_ id: String) -> InterfaceRow {
    guard let row = rowsByID[id] else { preconditionFailure("The table has no row “\(id)”.") }
    return row
  }

  /// The document, as clients get it.
  static let bytes = Array(json.text.utf8)

  /// The document as a value.
  static let json: JSONValue = {
    let paths = rows.reduce(into: [JSONValue.Member]()) { paths, row in
      let method = [JSONValue.Member(row.method.lowercased(), row.json)]
      if let index = paths.firstIndex(where: { $0.key == row.path }) {
        paths[index] = .init(row.path, .object((paths[index].value.members ?? []) + method))
      } else {
        paths.append(.init(row.path, .object(method)))
      }
    }
    var names: [String] = []
    for name in rows.flatMap({ InterfaceRow.names(in: $0.path) }) where !names.contains(name) {
      names.append(name)
    }
    let places = names.map { name in
      JSONValue.Member(
        name, InterfaceRow.parameter(name, in: "path", .object(["type": .string("string")])))
    }
    let components = table["components"] ?? .null
    return .object(
      (table["document"]?.members ?? [])
        + JSONValue.members([
          "paths": .object(paths),
          "components": .object([
            "securitySchemes": components["securitySchemes"],
            "parameters": .object(places + (components["parameters"]?.members ?? [])),
            "responses": components["responses"],
            "schemas": .object(
              (table["schemas"]?.members ?? []).map { .init($0.key, schemas.schema($0.value)) }),
          ]),
        ]))
  }()

  /// A part of the document that is said once.
  static func reference(_ kind: String, _ name: String) -> JSONValue {
    .object(["$ref": .string("#/components/\(kind)/\(name)")])
  }
}

extension EditOperationDescription {
  /// `go-to-step` as `goToStep`.
  var identifier: String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words[0])) { text, word in
      text + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// The body of a request: the parameters, with edits as the document describes them. The whole edit is taken where
  /// parts of it are.
  var bodySchema: JSONValue {
    func shapes(_ names: [String]) -> [JSONValue.Member] {
      InterfaceDescription.schemas.fields(.object([names.joined(separator: ", "): .string("@")]))
        .map { .init($0.name, $0.schema) }
    }
    let edit = shapes(["adjustments"])
    let others = shapes(["revision", "dryRun"] + (takesQuality ? ["quality", "noVideo"] : []))
    let schema = schema(with: (name == EditActions.Adjust.id ? edit : []) + others)
    return .object(
      (schema.members ?? []).map { member in
        guard member.key == "properties" else { return member }
        return .init(
          member.key, .object((member.value.members ?? []).compactMap { property(of: $0, edit) }))
      })
  }

  /// A parameter in the body of a request; `nil` for one that no request has. No request names a file: a photo has an
  /// identifier, and a filter a name.
  private func property(
    of member: JSONValue.Member, _ edit: [JSONValue.Member]
  ) -> JSONValue.Member? {
    func text(_ description: String) -> JSONValue.Member {
      .init(
        member.key,
        .object(["type": .string("string"), "description": .string(description)]))
    }
    return switch parameters.first(where: { $0.name == member.key })?.typeName {
    case GivenEdit.typeName?: edit.first
    case FilterName.typeName?: text("The name of a filter; `/v1/filters` lists them.")
    case FileName.typeName?:
      switch name {
      case EditActions.Copy.id: text("The photo whose edit is copied, by id.")
      case EditActions.Relink.id:
        text("The path where the photo was, below a served folder; the sidecar is there still.")
      default: nil
      }
    default: member
    }
  }
}
