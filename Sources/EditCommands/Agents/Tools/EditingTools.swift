import PhotoEditing
import SafelightFiles

extension AgentTool {
  /// `try_edit`
  static let tryEdit = AgentTool(
    name: "try_edit", title: "Try an edit",
    summary: """
      Renders a photo with a changed edit and shows it, without writing anything: before (the photo as it is now) \
      and after as JPEG pictures, and the numbers of light of both, as see_photo explains them. Takes the same \
      “edit” as commit_edit. Call it with several edits to choose one.
      """,
    arguments: [
      .photo, .edit, .longestSide,
      ToolArgument(
        "pictures", .choice(["both", "after", "none"]), default: "both",
        "Which pictures come back; the numbers always do."),
    ],
    output: [
      OutputMember("photo", "string", required: true, "The original's path."),
      PhotoReport.revisionMember,
      OutputMember("pixelWidth", "integer", required: true, "What the render would have."),
      OutputMember("pixelHeight", "integer", required: true, "What the render would have."),
      OutputMember(
        "before", "object", required: true, "summary and histogram of the photo as it is now."),
      OutputMember("after", "object", required: true, "histogram of the photo with the change."),
      OutputMember("warnings", "array", "What was not found in the photo."),
    ] + EditStack.outputMembers
  ) { call in
    let photo = try call.photo()
    let request = try await call.edit
    let (revision, pictures) = try await PhotoEditor().pictures(
      of: Photo(path: photo),
      [call.request(.present), call.request(.changed(request.operations))])
    let (before, after) = (pictures[0], pictures[1])
    let notes = after.automatic?.notes ?? []
    let statistics = (PictureStatistics(before.image), PictureStatistics(after.image))
    var result = ToolResult(
      text:
        "\(FileWords.quoted(photo)): tried \(FileWords.quoted(request.summary)). Before: \(statistics.0.text). "
        + "After: \(statistics.1.text). The edit would be: \(FileWords.quoted(after.edit?.summary ?? "")). "
        + "Revision \(revision)." + notes.map { " " + FileWords.visible($0) }.joined(),
      members: JSONValue.members([
        "photo": photo.argument, "revision": revision, "pixelWidth": after.fullSize.width,
        "pixelHeight": after.fullSize.height,
        "before": JSONValue.object([
          "summary": before.edit?.summary, "histogram": statistics.0.json,
        ]),
        "after": JSONValue.object(["histogram": statistics.1.json]),
        "warnings": notes.isEmpty ? nil : notes,
      ]) + (after.edit?.resultMembers ?? []))
    let wanted = call.text("pictures") ?? "both"
    if wanted == "both" { result.pictures.append(try .init(before, "before:")) }
    if wanted != "none" { result.pictures.append(try .init(after, "after:")) }
    return result
  }

  /// `commit_edit`
  static let commitEdit = AgentTool(
    name: "commit_edit", title: "Edit a photo",
    summary: """
      Changes a photo's edit and renders it at full size: writes or replaces NAME_edited.jpg and the sidecar \
      NAME.EXT.aae beside the original, which is only read. One call is one step of the photo's history, and \
      undo_edit takes it back. Give the “revision” that you saw, so that an edit made by somebody else meanwhile is \
      not overwritten. With dryRun nothing is written. The same edit again is “unchanged”.
      """,
    arguments: [.photo, .briefEdit, .revision, .dryRun, .quality, .noVideo],
    output: PhotoReport.outputMembers + [PhotoReport.revisionMember] + EditStack.outputMembers,
    effect: .writing
  ) { call in
    let photo = try call.photo()
    return try await call.perform(call.edit.operations, on: photo)
  }

  /// `export_render`
  static let exportRender = AgentTool(
    name: "export_render", title: "Export a picture",
    summary: """
      Writes the photo as it is now (or as it was taken) to a new file in one of the server's folders: JPEG, PNG, \
      TIFF, WebP, AVIF or JPEG XL, by the ending of “output”. The photo and its edit stay as they are. Photos, sidecars and \
      renders of photos are never replaced; an earlier export only with overwrite.
      """,
    arguments: [
      .photo,
      ToolArgument(
        "output", .text, required: true,
        "The file to write, such as Export/beach.png, or a folder that is there."),
      ToolArgument("original", .flag, default: false, "Write the photo without its edit, upright."),
      ToolArgument("overwrite", .flag, default: false, "Replace an earlier export of this name."),
      .dryRun,
    ] + RenderOutput.parameterDescriptions.map { ToolArgument($0) },
    output: PhotoReport.outputMembers, effect: .writing
  ) { call in
    let photo = try call.photo()
    let members = (call.arguments.members ?? []).filter { !["photo", "dryRun"].contains($0.key) }
    let asked: ExportRequest
    do throws(OperationError) {
      asked = try ExportRequest(members)
    } catch {
      throw AgentError.invalidArguments(error.description)
    }
    let request = try asked.reading { name in
      try RenderOutput.contents(of: call.session.folders.photo(name))
    }
    let output = try call.session.folders.output(request.output)
    // In a folder the file's own name counts: it may be a link that leads out.
    let destination = request.destination(of: photo, at: output)
    if let mismatch = destination.mismatch { throw AgentError.invalidArguments(mismatch) }
    let target = destination.paths[0]
    _ = try call.session.folders.output(target.argument)
    if request.replaces { try Self.checkIsPicture(target) }
    let wasThere = target.leadsSomewhere
    let report = try await call.session.report(on: photo) { editor throws(EditError) in
      try await request.write(photo, to: destination, by: editor, dryRun: call.flag("dryRun"))
    }
    var changes = FileChanges()
    if case .success(let result) = report.outcome,
      result.status == EditResult.Status.rendered.rawValue,
      !call.flag("dryRun")
    {
      changes = FileChanges(exported: target, replacing: wasThere)
    }
    return report.toolResult(files: changes)
  }
}

extension AgentTool {
  /// Refuses to replace a file that is not a picture, because it cannot be an earlier export. Photos are refused by the
  /// command itself.
  private static func checkIsPicture(_ path: FilePath) throws {
    let files = FileSystem.real
    guard try files.statusFollowingLinks(of: path)?.kind == .file,
      try PhotoFormat.recognized(at: path, files) == nil
    else { return }
    throw EditError.destinationTaken(path, .exists)
  }
}

extension ToolCall {
  /// Does operations to a photo with the quality and the revision of the call, or says what they would do. The library
  /// is told.
  func perform(_ operations: [EditOperation], on photo: FilePath) async throws -> ToolResult {
    let report = try await session.perform(
      operations, on: photo, quality: integer("quality"), noVideo: flag("noVideo"),
      dryRun: flag("dryRun"),
      ifRevision: text("revision"))
    var result = report.toolResult()
    if let files = report.change?.files, !files.isEmpty,
      let problem = await session.refreshLibrary([photo])
    {
      result.text += " " + problem
    }
    return result
  }

  /// The argument `edit`.
  var edit: EditRequest {
    get async throws {
      try await EditRequest(
        arguments["edit"] ?? .object([] as [JSONValue.Member]), in: session.folders)
    }
  }
}
