import Arguments
import PhotoEditing

/// `edit show`: says what is applied to photos.
struct ShowCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what is applied to photos.",
    discussion: """
      Says which filters a photo has, which files belong to it, whether it can be reverted, and \
      what is not as its record says. Nothing is written.

      Example:
        edit show beach.jpg
        edit show --json *.jpg
      """)

  static var takesRenders: Bool { true }

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let state = try await editor.state(of: Asset(path: photo))
    let description = StateDescription(state, photo: photo)
    func resource(_ type: AssetResource.ResourceType) -> FilePath? {
      state.resources.first { $0.type == type }?.path.shown(beside: photo)
    }
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      rendered: resource(.fullSizePhoto), record: resource(.adjustmentData),
      warnings: state.warnings, details: description.details)
  }
}
