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
      nothing. With --from the edit is another machine's: that in the copy of the photo's sidecar \
      which a program that syncs folders made; “edit history” lists such copies.

      Example:
        edit version save warm beach.jpg
        edit version save warm --replace holiday/*.jpg
        edit version save laptop --from beach.jpg.sync-conflict-20240101.aae beach.jpg
      """)

  @Argument(help: "The version's name.", completion: .versions)
  var name: String

  @Flag(help: "Replace the version of this name that a photo has.")
  var replace = false

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "Keep the edit in this copy of the photo's sidecar, which a sync made of a conflict.",
      valueName: "copy"), completion: .file(extensions: ["aae"]))
  var copy: String?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var whole: BatchWideOptions

  func prepare(for photos: [FilePath]) throws(EditError) { try PhotoVersion.checkName(name) }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let result =
      if let copy {
        try await task.editor.saveVersion(
          named: name, of: task.photo, from: FilePath(argument: copy), replacing: replace,
          dryRun: dryRun.isOn)
      } else {
        try await task.editor.saveVersion(
          named: name, of: task.photo, replacing: replace, dryRun: dryRun.isOn)
      }
    return PhotoResult(result, of: task.path, dryRun: dryRun) { path in
      switch result.status {
      case .unchanged: "unchanged, \(path) is up to date"
      default: dryRun.isOn ? "would be saved as \(path)" : "saved as \(path)"
      }
    }
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

  @OptionGroup var whole: BatchWideOptions

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let versions = try await task.editor.versions(of: task.photo)
    let description = VersionsDescription(versions: versions, photo: task.path)
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: JSONValue.members(["versions": description.json]))
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

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func prepare(for photos: [FilePath]) throws(EditError) { try PhotoVersion.checkName(name) }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let result = try await task.editor.useVersion(
      named: name, of: task.photo, dryRun: dryRun.isOn)
    return PhotoResult(result, did: name, to: task.path, dryRun: dryRun)
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

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var whole: BatchWideOptions

  func prepare(for photos: [FilePath]) throws(EditError) { try PhotoVersion.checkName(name) }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let result = try await task.editor.removeVersion(
      named: name, of: task.photo, dryRun: dryRun.isOn)
    return PhotoResult(result, of: task.path, dryRun: dryRun) { _ in
      dryRun.isOn ? "\(name) would be removed" : "\(name) removed"
    }
  }
}

extension PhotoVersion {
  /// Throws when no version can be called so.
  fileprivate static func checkName(_ name: String) throws(EditError) {
    guard isName(name) else { throw .storage(.invalidVersionName(name)) }
  }
}

/// What is said of a photo's named versions, as text and as JSON.
struct VersionsDescription {
  let versions: [PhotoVersion]
  let photo: FilePath

  /// The line about all versions.
  var text: String {
    versions.isEmpty ? "no versions" : counted(versions.count, "version")
  }

  /// A line for each version, the present edit marked with a star.
  var rows: [String] {
    let width = versions.map(\.name.count).max() ?? 0
    return versions.map { version in
      let name = version.name.filled(to: width)
      let render = version.rendered?.shown(beside: photo).description ?? "its render is missing"
      return "\(version.isPresent ? "*" : " ") \(name)  \(summary(of: version)), \(render)"
    }
  }

  private func summary(of version: PhotoVersion) -> String {
    let edit = version.stack?.summary ?? version.adjustmentData.unreadable
    let earlier = version.earlierEdits.map(\.summary).joined(separator: ", then ")
    return earlier.isEmpty ? edit : "\(edit) (after \(earlier))"
  }

  var json: [JSONValue] {
    versions.map { version in
      .object([
        "name": version.name, "present": version.isPresent, "date": version.date,
        "editor": version.editor, "formatIdentifier": version.adjustmentData.formatIdentifier,
        "formatVersion": version.adjustmentData.formatVersion,
        "adjustments": version.stack?.entriesAsJSON,
        "earlier": version.earlierEdits.isEmpty ? nil : version.earlierEdits.map(\.entriesAsJSON),
        "rendered": version.rendered?.shown(beside: photo),
      ])
    }
  }
}

extension AdjustmentData {
  /// What is said of an edit that only its own program can read.
  var unreadable: String { "\(formatIdentifier) \(formatVersion), which Safelight cannot read" }
}
