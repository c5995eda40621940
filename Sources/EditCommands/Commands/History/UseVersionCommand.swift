import PhotoEditing
import SafelightArguments

/// `edit version use`: makes a version the edit of photos.
struct UseVersionCommand: PhotoCommand {
  static let changesEdits = true
  static let words = ["version", "use"]
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Make a version the edit of photos.",
    discussion: """
      The version stays. What the photo had goes into its history, so “edit undo” goes back.

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
