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
      RecordCommand<EditActions.SaveVersion>.self, ListVersionsCommand.self,
      RecordCommand<EditActions.UseVersion>.self, RecordCommand<EditActions.RemoveVersion>.self,
    ])
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
    PhotoResult(try await VersionsDescription(of: task.path, task.editor))
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

extension VersionsDescription {
  /// Asks for the versions of a photo.
  init(of photo: FilePath, _ editor: PhotoEditor) async throws(EditError) {
    self.init(versions: try await editor.versions(of: Photo(path: photo)), photo: photo)
  }
}

extension PhotoResult {
  /// The versions of a photo.
  init(_ description: VersionsDescription) {
    self.init(
      status: "shown", text: description.text, rows: description.rows,
      details: JSONValue.members(["versions": description.json]))
  }
}

extension AdjustmentData {
  /// What is said of an edit that only its own program can read.
  var unreadable: String { "\(formatIdentifier) \(formatVersion), which Safelight cannot read" }
}
