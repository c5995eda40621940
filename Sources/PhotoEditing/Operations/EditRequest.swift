import SafelightAdjustments
import SafelightFormats

/// What is asked of an edit, as one object of JSON: the one grammar of the command line, workers, HTTP and agents.
///
/// ```swift
/// let request = try EditRequest(named: #"{"filter": "noir", "intensity": 0.8, "values": {"exposure": 0.5}}"#)
/// try await editor.perform(request.operations, on: photo)
/// ```
///
/// Its members are the operations on adjustments and filters: the parameters of some stand in the object itself (`filter`,
/// `intensity`, `values`, `adjustments`), those of others in an object of the operation's name (`crop`, `auto`), and an
/// operation of one parameter is its value (`rotate`, `straighten`). ``schema`` says it all.
public struct EditRequest: Sendable, Hashable {
  /// What is done, in the order in which it is done.
  public let operations: [EditOperation]

  /// A request to do some operations in order.
  public init(_ operations: [EditOperation] = []) { self.operations = operations }

  /// Reads a request. Names of filters and files get their meaning when it is performed.
  ///
  /// - Throws: ``OperationError`` for what is unknown, out of range or contradicts itself.
  public init(json: JSONValue) throws(OperationError) {
    var operations: [EditOperation] = []
    for part in try Self.parts(of: json) { operations.append(try part.operation()) }
    self.init(operations)
  }

  /// A JSON schema of requests (JSON Schema 2020-12).
  public static let schema: JSONValue = .object(
    [
      JSONValue.Member("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      .init("title", .string("Edit of a photo")), .init("type", .string("object")),
      .init("properties", .object(members.map { .init($0.name, $0.schema) })),
      .init("additionalProperties", .bool(false)),
    ])
}

extension EditRequest {
  /// The same with what its names mean, so that these are looked up once for many photos.
  package func resolved(by names: EditNames) async throws(EditError) -> EditRequest {
    var resolved: [EditOperation] = []
    for operation in operations { resolved.append(try await operation.resolved(by: names)) }
    return EditRequest(resolved)
  }

  /// A member of the object.
  package struct Member: Sendable {
    package let name: String
    /// The operation whose parameters it has.
    package let operation: String
    /// What the operation does.
    package let summary: String
    package let parameters: [ParameterDescription]
    /// Whether it is an object of the parameters; otherwise it is the one parameter.
    package let isObject: Bool

    fileprivate var schema: JSONValue {
      guard isObject else {
        let schema = parameters[0].schema
        guard parameters[0].typeName == AdjustmentValues.typeName else { return schema }
        let values = AdjustmentDescription.all.flatMap(\.parameters).compactMap { parameter in
          parameter.option.map { JSONValue.Member($0, parameter.schema) }
        }
        return .object(
          (schema.members ?? []).filter { $0.key != "additionalProperties" } + [
            .init("properties", .object(values)), .init("additionalProperties", .bool(false)),
          ])
      }
      return .object(
        (parameters.schema().members ?? []) + [.init("description", .string(summary))])
    }
  }

  /// Every operation on adjustments and filters, but that from another photo.
  private static let actions: [any StackAction.Type] = EditOperation.actions
    .filter { $0.id != EditActions.Copy.id }.compactMap { $0 as? any StackAction.Type }

  /// The members of the object, in the order of the table of operations.
  package static let members: [Member] = actions.flatMap { action -> [Member] in
    let parameters = action.parameterDescriptions
    func member(_ name: String, _ parameters: [ParameterDescription], isObject: Bool) -> Member {
      Member(
        name: name, operation: action.id, summary: action.summary, parameters: parameters,
        isObject: isObject)
    }
    if action.isFlat {
      return parameters.map { member(names[$0.name] ?? $0.name, [$0], isObject: false) }
    }
    return [member(action.id, parameters, isObject: parameters.count > 1)]
  }

  /// Names of parameters that would say too little beside those of other operations.
  private static let names = ["add": "addFilter"]

  /// In which order operations act, where it is not that of the table: what comes first makes room for the others.
  private static let first = [
    EditActions.Replace.id, reset, EditActions.Apply.id, EditActions.Auto.id, EditActions.Adjust.id,
    EditActions.Rotate.id, EditActions.Flip.id, EditActions.Straighten.id,
    EditActions.Perspective.id,
  ]
  private static let reset = "reset"

  /// An operation with the parameters that a request gives it.
  package struct Part {
    /// The operation's name, or `reset`.
    package let name: String
    package var parameters: [JSONValue.Member]

    /// The operation; names in it have no meaning yet.
    package func operation() throws(OperationError) -> EditOperation {
      name == EditRequest.reset ? .reset : try EditOperation(name, parameters)
    }

    /// The place of a parameter in the request, for messages.
    package func place(of parameter: String) -> String {
      for member in EditRequest.members where member.operation == name {
        if member.isObject { return "\(name).\(parameter)" }
        if member.parameters[0].name == parameter { return member.name }
      }
      return parameter
    }
  }

  /// The operations of a request, in the order in which they act.
  ///
  /// - Throws: ``OperationError`` for what is no object, and for members of other names.
  package static func parts(of json: JSONValue) throws(OperationError) -> [Part] {
    guard let given = json.members else { throw .notAnEdit }
    var parts: [Part] = []
    for (name, value) in given.map({ ($0.key, $0.value) }) {
      guard let member = members.first(where: { $0.name == name }) else {
        throw .unknownParameter(name, of: id)
      }
      if value == .null { continue }
      var parameters = [JSONValue.Member(member.parameters.first?.name ?? name, value)]
      if member.isObject {
        guard let inner = value.members else {
          throw .parameter(
            name, of: id, range: nil, problem: .wrongKind(expected: "an object"))
        }
        parameters = inner
      }
      if let index = parts.firstIndex(where: { $0.name == member.operation }) {
        parts[index].parameters += parameters
      } else {
        parts.append(Part(name: member.operation, parameters: parameters))
      }
    }
    // What is set comes after a filter, and what is dropped before it.
    if let index = parts.firstIndex(where: { $0.name == EditActions.Adjust.id }) {
      let drops = parts[index].parameters.contains { $0.key == reset && $0.value == .bool(true) }
      parts[index].parameters.removeAll { $0.key == reset }
      if parts[index].parameters.allSatisfy({ $0.value.members?.isEmpty == true }) {
        parts.remove(at: index)
      }
      if drops { parts.append(Part(name: reset, parameters: [])) }
    }
    let places = first + actions.map { $0.id }.filter { !first.contains($0) }
    return places.flatMap { place in parts.filter { $0.name == place } }
  }

  /// What messages call a request.
  static let id = "edit"
}
