import PhotoEditing
import SafelightArguments

/// `edit version`: keeps edits of photos under names.
struct VersionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Keep edits of photos under names.",
    discussion: """
      A version is an edit of one photo with a render of its own: “beach_edited-NAME.jpg”. It \
      stays while the photo is edited further, and can become the photo's edit again.

      A name has 1 to 64 letters, digits, hyphens, underscores and dots, with no dot in front. \
      Capital and small letters count as the same.

      Example:
        edit version save warm beach.jpg
        edit version list beach.jpg
        edit version use warm beach.jpg
        edit version remove warm beach.jpg
      """,
    subcommands: [
      SaveVersionCommand.self, ListVersionsCommand.self, UseVersionCommand.self,
      RemoveVersionCommand.self,
    ])
}

/// `edit version save`: keeps the present edits of photos under a name.
struct SaveVersionCommand: ChangingCommand {
  static let words = ["version", "save"]
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Keep the present edits of photos under a name.",
    discussion: """
      The present edit and its history stay as they are. Saving the same edit again changes \
      nothing.

      Example:
        edit version save warm beach.jpg
        edit version save warm --replace holiday/*.jpg
      """)

  @Argument(help: "The version's name.", completion: .versions)
  var name: String

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Flag(help: "Replace the version of this name that a photo has.")
  var replace = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) throws(EditError) {
    guard PhotoVersion.isName(name) else { throw .storage(.invalidVersionName(name)) }
  }

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.saveVersion(
      named: name, of: Photo(path: photo), replacing: replace, dryRun: dryRun.isOn)
    if let skipped = PhotoResult(skipped: result) { return skipped }
    let rendered = result.rendered?.shown(beside: photo)
    let path = rendered?.string ?? "its render"
    let text =
      switch result.status {
      case .unchanged: "unchanged, \(path) is up to date"
      default: dryRun.isOn ? "would be saved as \(path)" : "saved as \(path)"
      }
    return PhotoResult(
      status: result.status.rawValue, text: text, rendered: rendered,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: dryRun.details)
  }
}

/// `edit version list`: lists the versions of photos.
struct ListVersionsCommand: PhotoCommand {
  static let words = ["version", "list"]
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the versions of photos.",
    discussion: """
      The one that is the photo's present edit has a star. Nothing is written.

      Example:
        edit version list beach.jpg
        edit version list --json *.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let versions = try await editor.versions(of: Photo(path: photo))
    let description = VersionsDescription(versions, photo: photo)
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: [.init("versions", description.json)])
  }
}

/// `edit version use`: makes a version the edit of photos.
struct UseVersionCommand: ChangingCommand {
  static let words = ["version", "use"]
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Make a version the edit of photos.",
    discussion: """
      The version stays. The edit that the photo had goes into its history; “edit undo” brings it back.

      Example:
        edit version use warm beach.jpg
      """)

  @Argument(help: "The version's name.", completion: .versions)
  var name: String

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.useVersion(
      named: name, of: Photo(path: photo), dryRun: dryRun.isOn)
    return PhotoResult(result, did: name, to: photo, dryRun: dryRun)
  }
}

/// `edit version remove`: drops a version of photos.
struct RemoveVersionCommand: ChangingCommand {
  static let words = ["version", "remove"]
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Drop a version of photos.",
    discussion: """
      The version's render is removed; the photo's edit stays, even when it is the same. A render that \
      somebody retouched is not removed.

      Example:
        edit version remove warm beach.jpg
      """)

  @Argument(help: "The version's name.", completion: .versions)
  var name: String

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.removeVersion(
      named: name, of: Photo(path: photo), dryRun: dryRun.isOn)
    if let skipped = PhotoResult(skipped: result) { return skipped }
    let text = dryRun.isOn ? "\(name) would be removed" : "\(name) removed"
    return PhotoResult(
      status: result.status.rawValue, text: text,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: dryRun.details)
  }
}

/// What is said of a photo's named versions, as text and as JSON.
struct VersionsDescription {
  private let versions: [PhotoVersion]
  private let photo: FilePath

  init(_ versions: [PhotoVersion], photo: FilePath) {
    self.versions = versions
    self.photo = photo
  }

  /// The line about them all.
  var text: String {
    switch versions.count {
    case 0: "no versions"
    case 1: "1 version"
    default: "\(versions.count) versions"
    }
  }

  /// A line for each version, the present edit marked with a star.
  var rows: [String] {
    let width = versions.map(\.name.count).max() ?? 0
    return versions.map { version in
      let name = version.name + String(repeating: " ", count: width - version.name.count)
      let render = version.rendered?.shown(beside: photo).string ?? "its render is missing"
      return "\(version.isPresent ? "*" : " ") \(name)  \(summary(of: version)), \(render)"
    }
  }

  private func summary(of version: PhotoVersion) -> String {
    let data = version.adjustmentData
    return version.stack?.summary
      ?? "\(data.formatIdentifier) \(data.formatVersion), which Safelight cannot read"
  }

  var json: JSONValue {
    .array(
      versions.map { version in
        let data = version.adjustmentData
        var members: [JSONValue.Member] = [
          .init("name", .string(version.name)), .init("present", .bool(version.isPresent)),
        ]
        if let date = version.date {
          members.append(.init("date", .string(StateDescription.timestamp(date))))
        }
        if let editor = version.editor { members.append(.init("editor", .string(editor))) }
        members.append(.init("formatIdentifier", .string(data.formatIdentifier)))
        members.append(.init("formatVersion", .string(data.formatVersion)))
        if let stack = version.stack {
          members.append(.init("adjustments", .array(stack.inPipelineOrder.map(\.json.compact))))
        }
        if let rendered = version.rendered?.shown(beside: photo) {
          members.append(.init("rendered", .string(rendered.string)))
        }
        return .object(members)
      })
  }
}
