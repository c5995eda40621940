import PhotoEditing
import SafelightArguments

/// `edit redo`: brings back edits that were undone.
struct RedoCommand: PhotoCommand {
  static let changesEdits = true
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Bring back edits that were undone.",
    discussion: """
      Renders the edit that was undone last again. After another edit, undone ones can no longer \
      be brought back.

      Example:
        edit redo beach.jpg
        edit redo --steps 3 holiday/*.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var moving: StepOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { moving.decoding.configuration }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.redo(
      Photo(path: photo), steps: moving.steps, quality: moving.quality,
      dryRun: moving.dryRun.isOn)
    return PhotoResult(
      result, did: "redone", nothing: "there is nothing to redo", to: photo,
      dryRun: moving.dryRun)
  }
}
