import PhotoEditing
import SafelightArguments

/// `edit version save`: keeps the present edits of photos under a name.
struct SaveVersionCommand: PhotoCommand {
  static let changesEdits = true
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
