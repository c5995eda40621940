import PhotoEditing
import SafelightArguments

/// `edit show`: says what is applied to photos.
struct ShowCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what is applied to photos.",
    discussion: """
      Says which filters a photo has, which files belong to it, whether it can be reverted, and \
      what is not as its record says. --histogram counts every pixel of the photo as it is now: how \
      light it is, and how much of it is clipped; with -o it is drawn too. Nothing else is written.

      Example:
        edit show beach.jpg
        edit show --json *.jpg
        edit show --histogram beach.jpg -o histogram.png
      """)

  static var takesRenders: Bool { true }

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Flag(help: "Say how light the photo is and how much is clipped.")
  var histogram = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Draw the histogram to this file, or into this folder for several.", valueName: "path"))
  var output: String?

  @Flag(help: "Replace drawings that are there.")
  var overwrite = false

  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if !histogram, output != nil || overwrite {
      throw ValidationError("--output and --overwrite need --histogram.")
    }
  }

  /// Where the histograms go; `nil` draws none.
  func prepare(for photos: [FilePath]) throws -> RenderDestination? {
    try output.map { try RenderDestination(writing: $0, of: photos) }
  }

  /// Alone, a photo's histogram goes to its own file of the folder.
  func options(for index: Int, with destination: RenderDestination?) -> [String: String] {
    destination.map { ["output": $0.paths[index].argument] } ?? [:]
  }

  func work(
    on photo: FilePath, at index: Int, with destination: RenderDestination?, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let state = try await editor.state(of: Photo(path: photo))
    let description = StateDescription(state, photo: photo)
    func resource(_ type: AssetResource.ResourceType) -> FilePath? {
      state.resources.first { $0.type == type }?.path.shown(beside: photo)
    }
    let counted = try await histogram ? counted(photo, at: index, to: destination, by: editor) : nil
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows + (counted?.rows ?? []),
      rendered: resource(.fullSizePhoto), record: resource(.adjustmentData),
      warnings: state.warnings + (counted?.warnings ?? []),
      details: description.details + (counted?.details ?? []))
  }
}
