import PhotoEditing

/// The tools for presets, which are outputs kept under names for “preset” of `export_render`.
extension AgentTool {
  /// `list_presets`
  static let listPresets = AgentTool(
    name: "list_presets", title: "List presets",
    summary: """
      Lists the user's presets, which “preset” of export_render takes: each is how pictures are written, under a name. \
      Writes nothing.
      """,
    arguments: [],
    output: [
      OutputMember(
        "presets", "array", required: true, "Presets with name and output, the parameters."),
      OutputMember(
        "problems", "array", required: true, "Why other files of presets cannot be used."),
    ]
  ) { _ in
    let (presets, problems) = try CommandSurroundings.presets.list()
    let lines =
      presets.map { "\(FileWords.quoted($0.name)): \(FileWords.quoted($0.summary))" }
      + problems.map { FileWords.quoted($0.description) }
    return ToolResult(
      text: lines.isEmpty ? "There are no presets." : lines.joined(separator: "\n") + "\n",
      members: JSONValue.members([
        "presets": presets.map(\.json), "problems": problems.map(\.description),
      ]))
  }

  /// `save_preset`
  static let savePreset = AgentTool(
    name: "save_preset", title: "Save a preset",
    summary: """
      Keeps how pictures are written under a name, for “preset” of export_render: one file in the user's data, outside of \
      the server's folders. Files that it names, in the server's folders, are kept in it. What no picture can be written by is \
      refused.
      """,
    arguments: [
      presetName,
      ToolArgument(
        "output", .object(RenderOutput.parameterDescriptions.map { ToolArgument($0).brief }),
        required: true, "How pictures are written, by parameters of export_render."),
      ToolArgument("replace", .flag, default: false, "Replace the preset of this name."),
    ],
    output: presetMembers, effect: .dropping
  ) { call in
    let name = call.text("name") ?? ""
    let wasThere = try CommandSurroundings.presets.list().presets.contains { $0.name == name }
    do {
      let saved = try CommandSurroundings.presets.save(
        call.arguments["output"]?.members ?? [], named: name, replacing: call.flag("replace")
      ) { try RenderOutput.contents(of: call.session.folders.photo($0)) }
      return ToolResult(
        text: "Saved the preset \(FileWords.quoted(name)).",
        members: saved.preset.json.members ?? [],
        files: FileChanges(exported: saved.path, replacing: wasThere))
    } catch let error as OperationError {
      throw AgentError.invalidArguments(error.description)
    } catch EditError.invalidOperation(let error) {
      throw AgentError.invalidArguments(error.description)
    }
  }

  /// `remove_preset`
  static let removePreset = AgentTool(
    name: "remove_preset", title: "Remove a preset",
    summary: "Removes one of the user's presets, which cannot be undone.",
    arguments: [presetName], output: [presetMembers[0]], effect: .dropping, isIdempotent: false
  ) { call in
    let name = call.text("name") ?? ""
    let path = try CommandSurroundings.presets.remove(named: name)
    return ToolResult(
      text: "Removed the preset \(FileWords.quoted(name)).",
      members: JSONValue.members(["name": name]), files: FileChanges(removed: path))
  }

  private static let presetName = ToolArgument(
    "name", .text, required: true, "The preset's name: lower case letters, digits and hyphens.")

  private static let presetMembers = [
    OutputMember("name", "string", required: true, "The preset's name."),
    OutputMember("output", "object", required: true, "Its parameters; of files their names."),
  ]
}
