import PhotoEditing

// What several tools say in the same words.

extension EditStack {
  /// What a result says of an edit: `summary`, `filters`, `values`, and `adjustments` where these are short enough for
  /// a language model.
  var resultMembers: [JSONValue.Member] {
    let filters = filters.map { filter in
      JSONValue.object(["name": filter.name, "intensity": filter.intensity])
    }
    let all = JSONValue.array(entriesAsJSON)
    return JSONValue.members([
      "summary": summary, "filters": filters, "values": values,
      "adjustments": all.text.utf8.count <= EditStack.mostShown ? all : nil,
    ])
  }

  /// Most bytes of adjustments that a result repeats. A lookup table has megabytes.
  static let mostShown = 16_000

  /// The members of ``resultMembers`` for a tool's table.
  static let outputMembers = [
    OutputMember("summary", "string", "The photo's edit in words."),
    OutputMember("filters", "array", "The filters of the edit, with their intensity."),
    OutputMember("values", "object", "The adjustments that are not neutral, by option name."),
    OutputMember(
      "adjustments", "array", "The whole edit, as “edit” takes it; left out when it is long."),
  ]
}

extension PhotoReport {
  /// A tool's result on one photo that a command worked on.
  ///
  /// - Parameters:
  ///   - files: What changed on disk; by default what operations changed.
  ///   - members: What it says besides; by default the photo's edit as it is after operations.
  func toolResult(
    files: FileChanges? = nil, _ members: [JSONValue.Member]? = nil
  ) -> ToolResult {
    let files = files ?? change?.files ?? FileChanges()
    switch outcome {
    case .failure(let failure): return ToolResult(failure, files: files)
    case .success(let result):
      let edit =
        JSONValue.members(["revision": change?.revision]) + (change?.edit?.resultMembers ?? [])
      let members = members ?? edit
      let rows = result.rows.map { "\n" + FileWords.quoted($0) }.joined()
      return ToolResult(
        text: "\(FileWords.quoted(photo)): \(FileWords.quoted(result.text))."
          + rows + (rows.isEmpty ? "" : "\n") + FileWords.warnings(result.warnings),
        members: (json.members ?? []).filter { said in !members.contains { $0.key == said.key } }
          + members, files: files)
    }
  }

  /// The members of a report for a tool's table.
  static let outputMembers = [
    OutputMember("photo", "string", required: true, "The original's path."),
    OutputMember(
      "status", "string", required: true,
      "edited, unchanged, reverted, rendered, shown or skipped."),
    OutputMember("rendered", "string", "The render's path."),
    OutputMember("record", "string", "The sidecar's path."),
    OutputMember(
      "lossless", "boolean", "True where the picture has the coefficients of the photo's JPEG."),
    OutputMember("dryRun", "boolean", "Whether nothing was done."),
    OutputMember("warnings", "array", "What could not be kept or done, one sentence each."),
  ]

  static let revisionMember = OutputMember(
    "revision", "string", "Changes with the photo and its edit. Pass it to commit_edit.")
}

extension ToolArgument {
  static let photo = ToolArgument(
    "photo", .text, required: true,
    "The photo's path: absolute, or relative when the server has one folder.")
  static let edit = ToolArgument(
    "edit", .object(EditRequest.arguments), required: true,
    "What to change in the photo's edit, in one step. Example: {\"filter\": \"noir\", \"intensity\": 0.7, "
      + "\"values\": {\"exposure\": 0.3}}")
  /// The same for tools that follow `try_edit`.
  static let briefEdit = ToolArgument(
    "edit", .object(EditRequest.briefArguments), required: true,
    "What to change in the photo's edit, in one step; try_edit explains its members.")
  static let revision = ToolArgument(
    "revision", .text,
    "The revision that you saw. When the photo or its edit changed since, nothing is done and the error is "
      + "input-outdated. Leave it out to change the photo whatever it is now.")
  static let dryRun = ToolArgument(
    "dryRun", .flag, default: false, "Only say what would happen; nothing is written.")
  static let quality = ToolArgument(
    "quality", .integer(1...100),
    "JPEG quality of the render; without it that of the present render, or 95.")
  static let noVideo = ToolArgument(
    "noVideo", .flag, default: false,
    "Leave the video of a Live Photo or motion photo without the edit; a motion photo's render then has no video."
  )
  /// How large a picture comes back.
  static let longestSide = ToolArgument(
    "longestSide", .integer(64...2048), default: 1024,
    "Most pixels along the longer side of a picture that comes back.")
}
