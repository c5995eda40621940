import PhotoEditing
import SafelightArguments
import SafelightFiles

/// What agents ask of an edit: the table of its members for them, and names that mean what they mean to them.
extension EditRequest {
  /// What was done, for people.
  var summary: String { operations.map(\.action.did).joined(separator: ", ") }

  /// The table of its members.
  static let arguments: [ToolArgument] = members.map { member in
    member.isObject
      ? ToolArgument(
        member.name, .object(member.parameters.map { ToolArgument($0) }), member.summary)
      : ToolArgument(member.parameters[0], named: member.name)
  }

  /// The table for tools that follow the one which explains it: the same members, in few words.
  static let briefArguments = arguments.map { $0.brief }

  /// Reads the argument, whose members fit the table.
  ///
  /// - Throws: ``AgentError`` or ``EditError``.
  init(_ json: JSONValue, in folders: AgentFolders) async throws {
    let parts: [Part]
    do throws(OperationError) {
      parts = try Self.parts(of: json)
    } catch {
      throw AgentError.invalidArguments(error.description)
    }
    guard !parts.isEmpty else {
      throw AgentError.invalidArguments(
        "“edit” says nothing to do: give it \(Self.arguments.map(\.name).joined(separator: ", ")).")
    }
    var operations: [EditOperation] = []
    for part in parts {
      let operation =
        EditOperation.action(named: part.name) == nil
        ? try part.operation()
        : try await Self.operation(part.name, part.parameters, folders) { part.place(of: $0) }
      operations.append(operation)
    }
    self.init(operations)
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
