import PhotoEditing

extension AgentTool {
  /// A tool that takes one photo through a command that changes its edit.
  private static func change(
    _ name: String, _ title: String, _ summary: String, _ arguments: [ToolArgument] = [],
    output: [OutputMember] = [], effect: Effect = .writing, isIdempotent: Bool = true,
    check: @escaping @Sendable (ToolCall, FilePath) async throws -> Void = { _, _ in },
    words: @escaping @Sendable (ToolCall) -> (options: [String], operands: [String])
  ) -> AgentTool {
    AgentTool(
      name: name, title: title, summary: summary,
      arguments: [.photo] + arguments + [.revision, .dryRun],
      output: PhotoReport.outputMembers + [PhotoReport.revisionMember] + output
        + EditStack.outputMembers,
      effect: effect, isIdempotent: isIdempotent
    ) { call in
      let photo = try call.photo()
      try AgentSession.checkIsPhoto(photo)
      try await check(call, photo)
      let (options, operands) = words(call)
      let dryRun = call.flag("dryRun") ? ["--dry-run"] : []
      let (report, changes) = try await FileChanges.made(to: photo) {
        try await call.session.perform(
          options + dryRun, operands, on: photo, ifRevision: call.text("revision"))
      }
      return await call.session.ended(report, changes)
    }
  }

  private static let step = OutputMember("step", "integer", "The step of the history it is at now.")

  /// `undo_edit`
  static let undoEdit = change(
    "undo_edit", "Undo an edit",
    """
    Takes a photo back to its earlier edit and renders that again: replaces the render and the sidecar. redo_edit \
    brings the later edit back. Undoing the first edit removes the render; its record stays, so that it can be redone; \
    revert_photo drops it, too.
    """,
    [ToolArgument("steps", .integer(1...1000), default: 1, "How many edits to go back, at most.")],
    output: [step], isIdempotent: false
  ) { call in (["undo", "--steps=\(call.integer("steps") ?? 1)"], []) }

  /// `redo_edit`
  static let redoEdit = change(
    "redo_edit", "Redo an edit",
    "Brings back an edit that was undone and renders it: replaces the render and the sidecar.",
    [ToolArgument("steps", .integer(1...1000), default: 1, "How many edits to go forth, at most.")],
    output: [step], isIdempotent: false
  ) { call in (["redo", "--steps=\(call.integer("steps") ?? 1)"], []) }

  /// `go_to_step`
  static let goToStep = change(
    "go_to_step", "Go to a step of the history",
    """
    Takes a photo to the step of this number in list_history, back or forth, and renders it: replaces the render and \
    the sidecar. Step 0 is the original.
    """,
    [ToolArgument("step", .integer(0...1_000_000), required: true, "The step's number.")],
    output: [step]
  ) { call in (["history", "--to=\(call.integer("step") ?? 0)"], []) }

  /// `save_version`
  static let saveVersion = change(
    "save_version", "Save a version",
    """
    Keeps the photo's present edit under a name, with a render of its own: writes NAME_edited-VERSION.jpg and the \
    sidecar. The edit itself stays as it is. Good before trying something else.
    """,
    [
      ToolArgument(
        "name", .text, required: true, "1 to 64 letters, digits, hyphens, underscores and dots."),
      ToolArgument("replace", .flag, default: false, "Replace the version of this name."),
    ]
  ) { call in
    (["version", "save"] + (call.flag("replace") ? ["--replace"] : []), [call.text("name") ?? ""])
  }

  /// `use_version`
  static let useVersion = change(
    "use_version", "Use a version",
    """
    Makes a saved version the photo's edit: replaces the render and the sidecar. The edit that it had goes into the \
    history, so undo_edit brings it back. The version stays.
    """,
    [ToolArgument("name", .text, required: true, "The version's name.")]
  ) { call in (["version", "use"], [call.text("name") ?? ""]) }

  /// `remove_version`
  static let removeVersion = change(
    "remove_version", "Remove a version",
    "Drops a saved version for good: removes its render and replaces the sidecar. The photo's edit stays.",
    [ToolArgument("name", .text, required: true, "The version's name.")],
    effect: .dropping
  ) { call in (["version", "remove"], [call.text("name") ?? ""]) }

  /// `revert_photo`
  static let revertPhoto = change(
    "revert_photo", "Drop the edit of a photo",
    """
    Drops a photo's edit with its history, for good: removes the render and the sidecar; the original stays as it \
    always was. It cannot be undone: to go back by one edit use undo_edit instead. When more than one edit or a saved \
    version would be lost, it asks for “confirm”; ask the user first.
    """,
    [
      ToolArgument(
        "confirm", .flag, default: false, "Whether history and versions may be dropped for good."),
      ToolArgument("versions", .flag, default: false, "Drop the photo's saved versions too."),
      ToolArgument(
        "keepRender", .flag, default: false, "Leave the render where it is, as a file of its own."),
    ],
    effect: .dropping,
    check: { call, photo in
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
    },
    words: { call in
      (
        ["revert"] + (call.flag("versions") ? ["--versions"] : [])
          + (call.flag("keepRender") ? ["--keep-render"] : []), []
      )
    })

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
    let report = try await call.session.perform(["history"], on: photo)
    var result = report.toolResult(FileChanges())
    // Whole edits are long; what changed says enough.
    result.members = result.members.map { member in
      guard member.key == "steps", let steps = member.value.elements else { return member }
      return JSONValue.Member(
        member.key,
        .array(
          steps.map { step in
            .object((step.members ?? []).filter { $0.key != "adjustments" })
          }))
    }
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
    let report = try await call.session.perform(["version", "list"], on: photo)
    var result = report.toolResult(FileChanges())
    result.members = result.members.map { member in
      guard member.key == "versions", let versions = member.value.elements,
        member.value.text.utf8.count > EditStack.mostShown
      else { return member }
      return JSONValue.Member(
        member.key,
        .array(
          versions.map { version in
            .object((version.members ?? []).filter { $0.key != "adjustments" })
          }))
    }
    return result
  }
}
