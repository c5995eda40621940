import Arguments
import PhotoEditing

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

  @Option(help: "How many edits to bring back, at most.")
  var steps = 1

  @Option(
    help: ArgumentHelp(
      "JPEG quality of the render, from 1 to 100; without it what the edit was rendered with."))
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    try Limits.check(Double(steps), in: 1...1_000_000, "--steps")
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
  }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.redo(
      Asset(path: photo), steps: steps, quality: quality, dryRun: dryRun.isOn)
    return PhotoResult(
      result, did: "redone", nothing: "there is nothing to redo", to: photo, dryRun: dryRun)
  }
}
