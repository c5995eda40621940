import PhotoEditing
import SafelightArguments

/// The argument `edit` of the tools that try, commit and batch edits: operations on a photo's adjustments and filters, all
/// of them in one step.
struct EditRequest: Sendable {
  /// What is done, in the order in which it is done.
  let operations: [EditOperation]
  /// What is done, for people.
  var summary: String { operations.map(\.action.did).joined(separator: ", ") }

  /// What an edit can say: every operation on adjustments and filters, but that from another photo.
  private static let actions: [any StackAction.Type] = EditOperation.actions
    .filter { $0.id != EditActions.Copy.id }.compactMap { $0 as? any StackAction.Type }

  /// The table of its members.
  static let arguments: [ToolArgument] = actions.flatMap { action -> [ToolArgument] in
    let parameters = action.parameterDescriptions
    if action.isFlat {
      return parameters.map { ToolArgument($0, named: members[$0.name] ?? $0.name) }
    }
    if parameters.count == 1 { return [ToolArgument(parameters[0], named: action.id)] }
    return [
      ToolArgument(action.id, .object(parameters.map { ToolArgument($0) }), action.summary)
    ]
  }

  /// Parameters that would say too little beside those of other operations.
  private static let members = ["add": "addFilter"]

  /// The table for tools that follow the one which explains it: the same members, in few words.
  static let briefArguments = arguments.map { $0.brief }

  /// In which order operations act, where it is not that of the table: what comes first makes room for the others.
  private static let first = [
    EditActions.Replace.id, reset, EditActions.Apply.id, EditActions.Auto.id, EditActions.Adjust.id,
    EditActions.Rotate.id, EditActions.Flip.id, EditActions.Straighten.id,
    EditActions.Perspective.id,
  ]
  private static let reset = "reset"

  /// Reads the argument, whose members fit the table.
  ///
  /// - Throws: ``AgentError`` or ``EditError``.
  init(_ json: JSONValue, in folders: AgentFolders) async throws {
    var given: [(name: String, members: [JSONValue.Member])] = []
    for action in Self.actions {
      if let members = Self.members(of: action, json) { given.append((action.id, members)) }
    }
    // What is set comes after a filter, and what is dropped before it.
    if let index = given.firstIndex(where: { $0.name == EditActions.Adjust.id }) {
      if json.flag(Self.reset) { given.append((Self.reset, [])) }
      given[index].members.removeAll { $0.key == Self.reset }
      if given[index].members.allSatisfy({ $0.value.members?.isEmpty == true }) {
        given.remove(at: index)
      }
    }
    guard !given.isEmpty else {
      throw AgentError.invalidArguments(
        "“edit” says nothing to do: give it \(Self.arguments.map(\.name).joined(separator: ", ")).")
    }
    let places = Self.first + Self.actions.map { $0.id }.filter { !Self.first.contains($0) }
    let ordered = places.flatMap { place in given.filter { $0.name == place } }
    var operations: [EditOperation] = []
    for (name, members) in ordered {
      let operation =
        name == Self.reset
        ? EditOperation.reset
        : try await Self.operation(name, members, folders) { Self.name(of: $0, in: name) }
      operations.append(operation)
    }
    self.operations = operations
  }

  /// The place of an operation's parameter in an edit, for messages.
  private static func name(of parameter: String, in operation: String) -> String {
    guard let action = actions.first(where: { $0.id == operation }) else { return parameter }
    if action.isFlat { return members[parameter] ?? parameter }
    return action.parameterDescriptions.count == 1 ? operation : "\(operation).\(parameter)"
  }

  /// The parameters that are given for an operation; `nil` when it is not asked for.
  private static func members(
    of action: any StackAction.Type, _ json: JSONValue
  ) -> [JSONValue.Member]? {
    let parameters = action.parameterDescriptions
    if action.isFlat {
      let given = parameters.compactMap { parameter in
        json[members[parameter.name] ?? parameter.name].map {
          JSONValue.Member(parameter.name, $0)
        }
      }
      return given.isEmpty ? nil : given
    }
    guard let value = json[action.id], value != .null else { return nil }
    return parameters.count == 1 ? [.init(parameters[0].name, value)] : value.members
  }

  /// An operation whose names mean what they mean to the agent: a filter's file must lie in the folders.
  ///
  /// - Parameter naming: Gives the name that a parameter has for the agent.
  static func operation(
    _ name: String, _ members: [JSONValue.Member], _ folders: AgentFolders,
    naming: (String) -> String = { $0 }
  ) async throws -> EditOperation {
    let files =
      EditOperation.action(named: name)?.parameterDescriptions
      .filter { [FilterName.typeName, FileName.typeName].contains($0.typeName) } ?? []
    let isRelink = name == EditActions.Relink.id
    let given = try members.map { member in
      guard let parameter = files.first(where: { $0.name == member.key }),
        let text = member.value.string, !isRelink,
        parameter.typeName == FileName.typeName || text.contains("/") || text.contains(".")
      else { return member }
      return JSONValue.Member(member.key, .string(try folders.photo(text).argument))
    }
    let operation: EditOperation
    do throws(OperationError) {
      operation = try EditOperation(name, given)
    } catch {
      let advice = error.unknownName.flatMap { didYouMean(nearest(to: $0.name, among: $0.among)) }
      throw AgentError.invalidArguments(
        error.description { "“\(naming($0))”" } + (advice.map { " " + $0 } ?? ""))
    }
    // A photo that was moved is not where it was.
    if isRelink, let former = (operation.action as? EditActions.Relink)?.former {
      return .relink(from: try folders.output(former.argument))
    }
    return try await operation.resolved(by: .commandLine)
  }
}
