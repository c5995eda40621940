import PhotoEditing

extension AgentTool {
  /// A tool that does an operation to one photo. What an agent must know besides the table is said by hand.
  private static func operation(
    _ action: any EditAction.Type, _ name: String, _ title: String, _ summary: String,
    _ arguments: [ToolArgument] = [], output: [OutputMember] = [], isIdempotent: Bool = true,
    check: @escaping @Sendable (ToolCall, FilePath) async throws -> Void = { _, _ in }
  ) -> AgentTool {
    let parameters = action.parameterDescriptions
    return AgentTool(
      name: name, title: title, summary: summary,
      arguments: [.photo] + parameters.map { ToolArgument($0) } + arguments
        + [.revision, .dryRun] + (action.takesQuality ? [.quality, .noVideo] : []),
      output: PhotoReport.outputMembers + [PhotoReport.revisionMember] + output
        + EditStack.outputMembers,
      effect: action.dropsForGood ? .dropping : .writing, isIdempotent: isIdempotent
    ) { call in
      let photo = try call.photo()
      try await check(call, photo)
      let members = parameters.compactMap { parameter in
        call.arguments[parameter.name].map { JSONValue.Member(parameter.name, $0) }
      }
      let operation = try await EditRequest.operation(action.id, members, call.session.folders)
      return try await call.perform([operation], on: photo)
    }
  }

  private static let step = OutputMember("step", "integer", "The step of the history it is at now.")

  /// The tools of the operations that are no part of an edit.
  static let operations: [AgentTool] = EditOperation.actions.filter {
    !($0 is any StackAction.Type)
  }
  .map { action in
    known[action.id]
      ?? operation(
        action, action.id.replacing("-", with: "_"), title(of: action.id),
        action.summary)
  }

  private static let confirm = ToolArgument(
    "confirm", .flag, default: false, "Whether the user agreed to what cannot be undone.")

  /// `merge-edits` as “Merge edits”.
  private static func title(of operation: String) -> String {
    let words = operation.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static let known: [String: AgentTool] = [
    EditActions.Undo.id: operation(
      EditActions.Undo.self, "undo_edit", "Undo an edit",
      """
      Takes a photo back to its earlier edit and renders that again: replaces the render and the sidecar. redo_edit \
      brings the later edit back. Undoing the first edit removes the render; its record stays, so that it can be redone; \
      revert_photo drops it, too.
      """, output: [step], isIdempotent: false),
    EditActions.Redo.id: operation(
      EditActions.Redo.self, "redo_edit", "Redo an edit",
      "Brings back an edit that was undone and renders it: replaces the render and the sidecar.",
      output: [step], isIdempotent: false),
    EditActions.GoToStep.id: operation(
      EditActions.GoToStep.self, "go_to_step", "Go to a step of the history",
      """
      Takes a photo to the step of this number in list_history, back or forth, and renders it: replaces the render and \
      the sidecar. Step 0 is the original.
      """, output: [step]),
    EditActions.SaveVersion.id: operation(
      EditActions.SaveVersion.self, "save_version", "Save a version",
      """
      Keeps the photo's present edit under a name, with a render of its own: writes NAME_edited-VERSION.jpg and the \
      sidecar. The edit itself stays as it is. Good before trying something else.
      """),
    EditActions.UseVersion.id: operation(
      EditActions.UseVersion.self, "use_version", "Use a version",
      """
      Makes a saved version the photo's edit: replaces the render and the sidecar. The edit that it had goes into the \
      history, so undo_edit brings it back. The version stays.
      """),
    EditActions.RemoveVersion.id: operation(
      EditActions.RemoveVersion.self, "remove_version", "Remove a version",
      "Drops a saved version for good: removes its render and replaces the sidecar. The photo's edit stays."
    ),
    EditActions.Revert.id: operation(
      EditActions.Revert.self, "revert_photo", "Drop the edit of a photo",
      """
      Drops a photo's edit with its history, for good: removes the render and the sidecar; the original stays as it \
      always was. It cannot be undone: to go back by one edit use undo_edit instead. When more than one edit or a saved \
      version would be lost, it asks for “confirm”; ask the user first.
      """,
      [confirm], check: checkConfirmed),
    EditActions.AcceptOriginal.id: operation(
      EditActions.AcceptOriginal.self, "accept_original", "Go on with another picture",
      """
      Goes on with a photo's edit although the picture of that name is another one than the one that was edited: the edit \
      is about the picture that is there from then on, and is rendered from it. Where the picture that was edited is \
      found elsewhere, the edit belongs there. It cannot be undone and asks for “confirm”; ask the user first.
      """, [confirm],
      check: { call, photo in
        guard !call.flag("confirm"), !call.flag("dryRun") else { return }
        throw AgentError.notConfirmed(photo, drops: "what ties the edit to the earlier picture")
      }),
  ]

  /// Refuses to drop more than the present edit without a word.
  @Sendable private static func checkConfirmed(_ call: ToolCall, _ photo: FilePath) async throws {
    guard !call.flag("confirm"), !call.flag("dryRun") else { return }
    let state = try await PhotoEditor().state(of: Photo(path: photo))
    guard let edit = state.edit else { return }
    var drops: [String] = []
    let others = edit.historyCount + edit.redoCount
    if others > 0 {
      drops.append("its present edit with \(counted(others, "other edit")) of its history")
    }
    if !state.versions.isEmpty, call.flag("versions") {
      drops.append("the versions \(state.versions.map(\.name).joined(separator: ", "))")
    }
    if !drops.isEmpty {
      throw AgentError.notConfirmed(photo, drops: drops.joined(separator: " and "))
    }
  }

  // MARK: - Lists

  /// `list_history`
  static let listHistory = AgentTool(
    name: "list_history", title: "List the history of a photo",
    summary: """
      Lists what each edit of a photo changed, when, and which steps were undone. Step 0 is the original. Writes \
      nothing.
      """,
    arguments: [.photo],
    output: PhotoReport.outputMembers + [
      OutputMember("present", "integer", "The step that the photo is at."),
      OutputMember("steps", "array", "Steps with number, date, changes, undone and reachable."),
    ]
  ) { call in
    let photo = try call.photo()
    let report = try await call.session.report(on: photo) { editor throws(EditError) in
      PhotoResult(try await HistoryDescription(of: photo, editor))
    }
    var result = report.toolResult()
    // Whole edits are long; what changed says enough.
    result.members = result.members.map { $0.key == "steps" ? $0.withoutAdjustments : $0 }
    return result
  }

  /// `list_versions`
  static let listVersions = AgentTool(
    name: "list_versions", title: "List the versions of a photo",
    summary: "Lists the edits of a photo that were saved under a name. Writes nothing.",
    arguments: [.photo],
    output: PhotoReport.outputMembers + [
      OutputMember(
        "versions", "array",
        "Versions with name, present, date, summary and the path of the render.")
    ]
  ) { call in
    let photo = try call.photo()
    let report = try await call.session.report(on: photo) { editor throws(EditError) in
      PhotoResult(try await VersionsDescription(of: photo, editor))
    }
    var result = report.toolResult()
    result.members = result.members.map { $0.isLong ? $0.withoutAdjustments : $0 }
    return result
  }
}
