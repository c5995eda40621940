import PhotoEditing

extension AgentTool {
  /// `see_photo`
  static let seePhoto = AgentTool(
    name: "see_photo", title: "See a photo",
    summary: """
      Shows one photo as a JPEG picture, as it is now, as it was taken, or a saved version; with the numbers of its \
      light: luma and channels from 0 to 255 (mean, percentiles, shares at 0 and 255), clipped shares from 0 to 1, \
      contrast (standard deviation of luma), mean chroma (CIELAB), 16 bins of luma. They are counted in the picture \
      that comes back. Also header facts, what is applied, its files, and the revision for commit_edit. Writes nothing.
      """,
    arguments: [
      .photo,
      ToolArgument(
        "show", .choice(["now", "original"]), default: "now",
        "now: with its edit; original: as it was taken."),
      ToolArgument("version", .text, "Show the saved version of this name instead."),
      .longestSide,
      ToolArgument("picture", .flag, default: true, "false: only the numbers and facts."),
    ],
    output: [
      OutputMember("photo", "string", required: true, "The original's path."),
      PhotoReport.revisionMember,
      OutputMember("shown", "string", required: true, "now, original, or the version's name."),
      OutputMember("pixelWidth", "integer", required: true, "What is shown, at full size."),
      OutputMember("pixelHeight", "integer", required: true, "What is shown, at full size."),
      OutputMember("histogram", "object", required: true, "The numbers of its light."),
      OutputMember("original", "object", "Format, size, date, camera and place of the original."),
      OutputMember("edited", "boolean", "Whether an edit is seen; false when all was undone."),
      OutputMember("edit", "object", "The present edit; absent when there is none."),
      OutputMember("versions", "array", "Saved versions."),
      OutputMember("resources", "array", "The photo's files."),
      OutputMember("canRevert", "boolean", "Whether there is an edit to drop."),
      OutputMember("warnings", "array", "What is not as its record says."),
    ]
  ) { call in
    let photo = try call.photo()
    let version = call.text("version")
    let shown = version ?? call.text("show") ?? "now"
    let state: PictureRequest.State =
      version.map { .version($0) } ?? (shown == "original" ? .original : .present)
    let (revision, pictures) = try await PhotoEditor().pictures(
      of: Photo(path: photo), [call.request(state)])
    let report = try await call.session.report(on: photo) { editor throws(EditError) in
      PhotoResult(try await StateDescription(of: photo, editor))
    }
    let picture = pictures[0]
    let statistics = PictureStatistics(picture.image)
    var result = report.toolResult(
      JSONValue.members([
        "revision": revision, "shown": shown, "pixelWidth": picture.fullSize.width,
        "pixelHeight": picture.fullSize.height, "histogram": statistics.json,
      ]))
    if result.isFailure { return result }
    result.members = result.members.map { $0.withoutLongAdjustments }
    // What the file says of itself is in the members alone.
    result.text =
      "\(FileWords.quoted(photo)), \(FileWords.quoted(shown)): \(picture.fullSize.width) × "
      + "\(picture.fullSize.height) pixels. Light: \(statistics.text). Revision \(revision)."
      + FileWords.warnings(result.members.strings("warnings"))
    if call.arguments["picture"] == nil || call.flag("picture") {
      result.pictures = [
        try .init(picture, "\(FileWords.quoted(photo.lastComponent ?? photo)), \(shown):")
      ]
    }
    return result
  }

  /// `compare_photo`
  static let comparePhoto = AgentTool(
    name: "compare_photo", title: "Compare two states of a photo",
    summary: """
      Shows two states of a photo as one labeled JPEG picture, side by side (or one above the other), or as one \
      picture split by a line: the original, the photo as it is now, or saved versions. Without arguments: the \
      original and now. The numbers of light of both come too. Writes nothing.
      """,
    arguments: [
      .photo,
      ToolArgument(
        "before", .choice(["original", "now"]), default: "original", "The first state."),
      ToolArgument("beforeVersion", .text, "A saved version as the first state instead."),
      ToolArgument("after", .choice(["original", "now"]), default: "now", "The second state."),
      ToolArgument("afterVersion", .text, "A saved version as the second state instead."),
      ToolArgument(
        "layout", .choice(["side-by-side", "split"]), default: "side-by-side",
        "split: one picture with the original on the left of a line, cropped like the second state. Other first "
          + "states lie side by side."),
      ToolArgument(
        "at", .number(0...1), default: 0.5, "Where split parts, as a share of the width."),
      ToolArgument(
        "longestSide", .integer(200...2400), default: 1600, "Most pixels along the longer side."),
    ],
    output: [
      OutputMember("photo", "string", required: true, "The original's path."),
      PhotoReport.revisionMember,
      OutputMember(
        "before", "object", required: true, "shown, summary and histogram of the first state."),
      OutputMember("after", "object", required: true, "The same of the second state."),
      OutputMember("warnings", "array", "What is not shown as asked."),
    ]
  ) { call in
    let photo = try call.photo()
    let editor = PhotoEditor()
    func state(_ name: String, _ neutral: String) -> (PictureRequest.State, String) {
      if let version = call.text(name + "Version") {
        return (.version(version), "version " + version)
      }
      let word = call.text(name) ?? neutral
      return (word == "original" ? .original : .present, word)
    }
    let (before, after) = (state("before", "original"), state("after", "now"))
    let (revision, pictures) = try await editor.pictures(
      of: Photo(path: photo),
      [before.0, after.0].map { state in
        var request = PictureRequest(state)
        request.fit = PictureFit(longestSide: 512)
        return request
      })
    // The renderer gives the left of a split the geometry of the right and no other edit.
    let isSplit = call.text("layout") == "split" && before.1 == "original"
    let comparison = try await editor.comparison(
      of: Photo(path: photo), before.0, after.0,
      isSplit ? .split(at: call.arguments["at"]?.number ?? 0.5) : .automatic,
      longestSide: call.integer("longestSide") ?? 1600,
      labels: (label(before.1), label(after.1)))
    func json(_ shown: String, _ picture: ShownPicture) -> JSONValue {
      .object([
        "shown": shown, "summary": picture.edit?.summary,
        "histogram": PictureStatistics(picture.image).json,
      ])
    }
    let lines = [(before.1, pictures[0]), (after.1, pictures[1])].map { shown, picture in
      "\(FileWords.quoted(shown)): \(PictureStatistics(picture.image).text)."
    }
    return ToolResult(
      text: "\(FileWords.quoted(photo)): \(lines.joined(separator: " "))"
        + FileWords.warnings(comparison.warnings),
      members: JSONValue.members([
        "photo": photo.argument, "revision": revision, "before": json(before.1, pictures[0]),
        "after": json(after.1, pictures[1]),
        "warnings": comparison.warnings.isEmpty ? nil : comparison.warnings,
      ]),
      pictures: [
        .init(
          jpeg: comparison.bytes,
          caption: "\(FileWords.quoted(before.1)) and \(FileWords.quoted(after.1)):")
      ])
  }

  /// What stands below a picture of a comparison.
  private static func label(_ shown: String) -> @Sendable (EditStack?) -> String {
    if shown == "original" { return { _ in "Original" } }
    return { edit in
      let caption = edit.map(CompareCommand.caption) ?? ""
      return shown == "now" ? (caption.isEmpty ? "Now" : caption) : shown
    }
  }

  // MARK: - Tables

  /// `list_adjustments`
  static let listAdjustments = AgentTool(
    name: "list_adjustments", title: "List adjustments",
    summary: """
      Describes what “values” of an edit takes: each adjustment's option name, what it does, its range, unit, and \
      the neutral value that changes nothing. Ask for a group or for one adjustment to get less. Writes nothing.
      """,
    arguments: [
      ToolArgument(
        "group", .choice(AdjustmentGroup.allCases.filter { $0 != .look }.map(\.rawValue)),
        "Only this group; all without it."),
      ToolArgument(
        "adjustment", .text, "Only this adjustment, by its id or by one of its options."),
    ],
    output: [
      OutputMember(
        "adjustments", "array", required: true,
        "Adjustments with id, group, summary and parameters: option, type, minimum, maximum, unit, values, default."
      )
    ]
  ) { call in
    var all = AdjustmentDescription.all.filter { $0.parameters.contains { $0.option != nil } }
    if let name = call.text("adjustment") {
      guard let one = AdjustmentDescription.named(name) else {
        throw AgentError.invalidArguments("There is no adjustment “\(name.prefix(100))”.")
      }
      all = [one]
    } else if let group = call.text("group") {
      all = all.filter { $0.group.rawValue == group }
    }
    let lines = all.flatMap { adjustment in
      adjustment.parameters.compactMap { parameter in
        parameter.option.map { "\($0) (\(parameter.limits)): \(parameter.summary)" }
      }
    }
    return ToolResult(
      text: lines.joined(separator: "\n") + "\n",
      members: JSONValue.members(["adjustments": all.map(\.json)]), hasWordsOfFiles: false)
  }

  /// `list_filters`
  static let listFilters = AgentTool(
    name: "list_filters", title: "List filters",
    summary: """
      Lists the looks that “filter” of an edit takes, with what each does: those that ship with Safelight and those \
      that the user saved. Writes nothing.
      """,
    arguments: [],
    output: [
      OutputMember(
        "filters", "array", required: true, "Filters with name, title, version, summary and own.")
    ]
  ) { _ in
    let own = try CommandSurroundings.userFilters.list().filters
    let all = Filter.shipped.map { ($0, false) } + own.map { ($0, true) }
    return ToolResult(
      text: all.map { filter, isOwn in
        isOwn
          ? "\(FileWords.quoted(filter.name)): \(FileWords.quoted(filter.summary))"
          : "\(filter.name): \(filter.summary)"
      }.joined(separator: "\n") + "\n",
      members: JSONValue.members([
        "filters": all.map { filter, isOwn in
          JSONValue.object([
            "name": filter.name, "title": filter.title, "version": filter.version,
            "summary": filter.summary, "own": isOwn,
          ])
        }
      ]), hasWordsOfFiles: !own.isEmpty)
  }
}

extension ToolCall {
  /// A picture of a state of a photo for the agent.
  func request(_ state: PictureRequest.State) -> PictureRequest {
    var request = PictureRequest(state)
    request.fit = PictureFit(longestSide: longestSide)
    return request
  }
}

extension ToolResult.Picture {
  /// A picture of a state of a photo.
  init(_ picture: ShownPicture, _ caption: String) throws {
    self.init(
      jpeg: try picture.image.jpegBytes(quality: 85),
      caption: "\(caption) \(picture.image.width) × \(picture.image.height) pixels")
  }
}

extension [JSONValue.Member] {
  /// The texts in the list of this name.
  fileprivate func strings(_ name: String) -> [String] {
    first { $0.key == name }?.value.elements?.compactMap(\.string) ?? []
  }
}

extension JSONValue.Member {
  /// Whether the member is too long for a language model.
  var isLong: Bool { value.text.utf8.count > EditStack.mostShown }

  /// The member without the adjustments of its object, or of the objects in its list, that is too long.
  fileprivate var withoutLongAdjustments: JSONValue.Member {
    guard isLong, let elements = value.elements else { return isLong ? withoutAdjustments : self }
    let parts = elements.map { JSONValue.Member("", $0).withoutLongAdjustments.value }
    return JSONValue.Member(key, .array(parts))
  }

  /// The member without the lists of adjustments in its object, or in the objects of its list.
  var withoutAdjustments: JSONValue.Member {
    if let elements = value.elements {
      let parts = elements.map { JSONValue.Member("", $0).withoutAdjustments.value }
      return JSONValue.Member(key, .array(parts))
    }
    guard let members = value.members else { return self }
    return JSONValue.Member(key, .object(members.filter { $0.key != "adjustments" }))
  }
}
