import PhotoEditing
import SafelightArguments

/// `edit version remove`: drops a version of photos.
struct RemoveVersionCommand: PhotoCommand {
  static let changesEdits = true
  static let words = ["version", "remove"]
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Drop a version of photos.",
    discussion: """
      The version's render goes; the photo's edit stays, also when it is the same. A render that \
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

  /// The files that are there before anything is removed.
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
