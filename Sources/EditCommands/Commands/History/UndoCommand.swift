import PhotoEditing
import SafelightArguments

/// `edit undo`: takes photos back to their edits before.
struct UndoCommand: PhotoCommand {
  static let changesEdits = true
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take photos back to their edits before.",
    discussion: """
      Renders the edit before the present one again; “edit redo” brings the present one back. \
      Undoing the first edit leaves the photo as the original with a render of it, so that the \
      edit can be redone; “edit revert” drops that too.

      The last \(EditHistory.limit) edits are kept. Another program's edit cannot be rendered \
      again, so undoing ends there.

      Example:
        edit undo beach.jpg
        edit undo --steps 3 holiday/*.jpg
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
    let result = try await editor.undo(
      Photo(path: photo), steps: moving.steps, quality: moving.quality,
      dryRun: moving.dryRun.isOn)
    return PhotoResult(
      result, did: "undone", nothing: "there is nothing to undo", to: photo,
      dryRun: moving.dryRun)
  }
}
