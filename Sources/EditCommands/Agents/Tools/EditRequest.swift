import PhotoEditing
import SafelightArguments

/// The argument `edit` of the tools that try, commit and batch edits: what to change in a photo's edit, all of it in
/// one step.
///
/// Each part is read as the command of the same name reads it, and changes the edit as that does.
struct EditRequest: Sendable {
  /// What is set to a fixed value, in the order in which it is done.
  private var parts: [StackChange] = []
  /// What is done, for people.
  private(set) var summary = ""
  /// What is to be measured in each photo first.
  private var automatic: (kinds: Set<AutomaticAdjustment>, strength: Double)?
  /// How many of the parts come before what was measured.
  private var partsBefore = 0

  /// The table of its members.
  static let arguments: [ToolArgument] = [
    ToolArgument(
      "filter", .text,
      "A look by name, as list_filters has them, or the path of a .cube or HaldCLUT file in the folders. Takes the "
        + "place of the photo's present filter."),
    ToolArgument(
      "intensity", .number(0...1), default: 1.0, "How strong the filter is. Goes with filter."),
    ToolArgument(
      "addFilter", .flag, default: false,
      "Put the filter on top of the present ones instead of in their place."),
    ToolArgument(
      "values", .members(mostBytes: 100_000),
      "Adjustments by option name, as list_adjustments has them, such as {\"exposure\": 0.5, \"shadows\": 30, "
        + "\"tone-curve\": \"0,0 0.5,0.6 1,1\"}. Each value is absolute, not added to the present one; those not "
        + "named stay as they are; an adjustment at its neutral value goes."),
    ToolArgument(
      "reset", .flag, default: false,
      "First drop all adjustments that the photo has, crop and straightening too; its filter stays."
    ),
    ToolArgument(
      "auto",
      .object([
        ToolArgument(
          "tone", .flag, "Set exposure, contrast, highlights, shadows, whites and blacks."),
        ToolArgument("whiteBalance", .flag, "Set temperature and tint."),
        ToolArgument("straighten", .flag, "Make the photo level."),
        ToolArgument(
          "strength", .number(0...1), default: 1.0, "How far each value goes from neutral."),
      ]),
      "Measure the photo and set adjustments by what is in it: tone and white balance when none of the three is "
        + "true. What values says comes on top."),
    ToolArgument(
      "rotate", .choice(["0", "90", "180", "270"]),
      "Degrees clockwise from how the photo was taken (absolute, not added)."),
    ToolArgument(
      "flip", .choice(["horizontal", "vertical", "both", "none"]),
      "How the picture is mirrored: horizontal exchanges left and right."),
    ToolArgument(
      "straighten", .number(-45...45),
      "Degrees clockwise to make the picture level; negative is counterclockwise. The empty corners are cropped."
    ),
    ToolArgument(
      "crop",
      .object([
        ToolArgument(
          "rect", .list(.number(0...1), most: 4),
          "Left, top, width and height as shares of the uncropped picture's width and height."),
        ToolArgument("aspect", .text, "The largest rectangle of this shape, such as 16:9."),
        ToolArgument(
          "size", .text, "A rectangle of so many pixels of the full-size picture: 1920x1080."),
        ToolArgument(
          "gravity", .choice(CropGravity.allCases.map(\.rawValue)), default: "center",
          "Where the rectangle of aspect or size lies."),
        ToolArgument("none", .flag, "Take the crop away."),
      ]),
      "What to keep of the picture as it is turned and straightened: give one of rect, aspect, size and none."
    ),
    ToolArgument(
      "adjustments", .objects(most: 200),
      "A whole edit in place of the present one: adjustments as see_photo gives them in edit.adjustments. "
        + "The other members come on top."),
  ]

  /// The table for tools that follow the one which explains it: the same members, in few words.
  static let briefArguments = arguments.map { $0.brief }

  /// Reads the argument, whose members fit the table.
  ///
  /// - Throws: ``AgentError``, ``EditError`` or what a command line throws that says the same.
  init(_ json: JSONValue, in folders: AgentFolders) throws {
    var did: [String] = []
    if let elements = json["adjustments"]?.elements {
      let document = JSONValue.object(["adjustments": elements.map(\.compact)])
      let stack = try EditStack(
        AdjustmentData(
          formatIdentifier: EditStack.formatIdentifier, formatVersion: EditStack.formatVersion,
          data: .init(document.text.utf8)))
      try stack.checkSize()
      parts.append { editing in editing.stack = stack }
      did.append(stack.summary)
    }
    if json.flag("reset") {
      parts.append { editing in editing.stack.removeAdjustments() }
      did.append("adjustments dropped")
    }
    if let filter = json["filter"]?.string {
      let part = try Self.filter(filter, json, folders)
      parts.append(part.change)
      did.append(part.did)
    } else if json["intensity"] != nil || json["addFilter"] != nil {
      throw AgentError.invalidArguments("“intensity” and “addFilter” go with “filter”.")
    }
    partsBefore = parts.count
    if let auto = json["auto"] {
      let command: AutoCommand = try Self.command(
        ["auto"]
          + [("tone", "tone"), ("whiteBalance", "white-balance"), ("straighten", "straighten")]
          .filter { auto.flag($0.0) }.map { "--" + $0.1 }
          + (auto["strength"].map { ["--strength=\($0.text)"] } ?? []))
      automatic = (command.prepare(for: []), command.strength)
      did.append("automatic")
    }
    if let values = json["values"]?.members, !values.isEmpty {
      let settings = try values.map(Self.setting)
      parts.append { editing in try editing.stack.set(settings) }
      did += settings.map { "\($0.parameter.option ?? $0.parameter.name) \($0.argument)" }
    }
    try addGeometry(json, &did)
    guard !parts.isEmpty || automatic != nil else {
      throw AgentError.invalidArguments(
        "“edit” says nothing to do: give it filter, values, auto, crop, rotate, flip, straighten, reset or "
          + "adjustments.")
    }
    summary = did.joined(separator: ", ")
  }

  private mutating func addGeometry(_ json: JSONValue, _ did: inout [String]) throws {
    if let degrees = json["rotate"]?.string {
      let command: RotateCommand = try Self.command(["rotate", degrees])
      parts.append { editing in try command.change(&editing.stack) }
      did.append(command.did)
    }
    if let direction = json["flip"]?.string {
      let command: FlipCommand = try Self.command(["flip", direction])
      parts.append { editing in try command.change(&editing.stack) }
      did.append(command.did)
    }
    if let degrees = json["straighten"] {
      let command: StraightenCommand = try Self.command(["straighten", "--", degrees.text])
      parts.append { editing in try command.change(&editing.stack) }
      did.append(command.did)
    }
    if let crop = json["crop"] {
      var words = ["crop"]
      if let rect = crop["rect"]?.elements {
        // None is above 1, so they are shares and not pixels.
        words.append("--rect=" + rect.map(\.text).joined(separator: ","))
      }
      for name in ["aspect", "size", "gravity"] {
        if let value = crop[name]?.string { words.append("--\(name)=\(value)") }
      }
      if crop.flag("none") { words.append("--none") }
      let command: CropCommand = try Self.command(words)
      let area = command.prepare(for: [])
      parts.append { editing in try editing.crop(to: area) }
      did.append(area == nil ? "whole again" : "cropped")
    }
  }

  private static func filter(
    _ name: String, _ json: JSONValue, _ folders: AgentFolders
  ) throws -> (change: StackChange, did: String) {
    // A name with a dot or a slash is a file, which must lie in the folders.
    let isFile = name.contains("/") || name.contains(".")
    let word = isFile ? try folders.photo(name).argument : name
    let command: ApplyCommand = try Self.command(
      ["apply"] + (json["intensity"].map { ["--intensity=\($0.text)"] } ?? [])
        + (json.flag("addFilter") ? ["--add"] : []) + ["--", word])
    let filter = try command.prepare(for: [])
    let entry = try StackEntry(filter)
    if command.add {
      return ({ editing in try editing.stack.addFilter(filter) }, entry.summary + " added")
    }
    return ({ editing in try editing.stack.setFilter(filter) }, entry.summary)
  }

  private static func setting(_ member: JSONValue.Member) throws -> ParameterSetting {
    guard let parameter = ParameterDescription.option(member.key) else {
      let names = AdjustmentDescription.all.flatMap(\.parameters).compactMap(\.option)
      throw AgentError.invalidArguments(
        "There is no adjustment “\(member.key.prefix(100))”. "
          + (didYouMean(nearest(to: member.key, among: names))
            ?? "list_adjustments has their names."))
    }
    do throws(AdjustmentError) {
      return try ParameterSetting(parameter, json: member.value)
    } catch {
      throw AgentError.invalidArguments(
        "“\(member.key)” \(Self.wish(of: parameter, error)), not \(member.value.shortened).")
    }
  }

  /// What a parameter takes, for a value that it does not take.
  private static func wish(of parameter: ParameterDescription, _ error: AdjustmentError) -> String {
    let limits = parameter.limits
    guard case .parameter(_, _, _, let problem) = error else { return "takes \(limits)" }
    return switch problem {
    case .wrongKind(let expected): "takes \(expected) (\(limits))"
    case .outOfRange: "takes \(limits)"
    case .invalid(let reason): "\(reason) (\(limits))"
    }
  }

  /// The command that a command line names; the photo is not looked at.
  private static func command<Command: PhotoCommand>(_ words: [String]) throws -> Command {
    let all = words + (words.contains("--") ? [] : ["--"]) + ["photo"]
    guard let command = try EditCommand.parseAsRoot(all) as? Command else {
      preconditionFailure("“\(words[0])” is another command.")
    }
    return command
  }

  // MARK: - For one photo

  /// The change for one photo. What is to be measured is measured, without changing anything.
  ///
  /// - Returns: The change, and notes on what was not found in the photo.
  func change(
    for photo: FilePath, by editor: PhotoEditor
  ) async throws(EditError) -> (change: StackChange, notes: [String]) {
    var all = parts
    var notes: [String] = []
    if let automatic {
      let found = try await editor.automaticAdjustments(
        for: Photo(path: photo), automatic.kinds, strength: automatic.strength)
      notes = found.notes
      let settings = found.settings
      all.insert({ editing in try editing.stack.set(settings) }, at: partsBefore)
    }
    return ({ [all] editing in for part in all { try part(&editing) } }, notes)
  }

  /// Makes the change of one photo, as the commands do.
  ///
  /// - Throws: ``EditError``.
  func commit(
    to photo: FilePath, quality: Int? = nil, dryRun: Bool, ifRevision revision: String?
  ) async throws -> PhotoReport {
    var configuration = PhotoEditor.Configuration()
    configuration.requiredRevision = revision
    let editor = PhotoEditor(configuration)
    let start = ContinuousClock.now
    let (change, notes) = try await change(for: photo, by: editor)
    let result = try await editor.change(
      Photo(path: photo), quality: quality, dryRun: dryRun, change)
    var said = PhotoResult(
      result, did: summary, to: photo, dryRun: try DryRunOption.parse(dryRun ? ["--dry-run"] : []))
    said.warnings = notes + said.warnings
    return PhotoReport(photo: photo, outcome: .success(said), since: start)
  }
}
