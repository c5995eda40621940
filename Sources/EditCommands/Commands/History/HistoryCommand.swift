import PhotoEditing
import SafelightArguments

/// `edit history`: lists the edits of photos, or goes to one of them.
struct HistoryCommand: PhotoCommand {
  static let changesEdits = true
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits of photos, or go to one of them.",
    discussion: """
      Says what each edit changed in the one before, when, and who made it if that was another \
      program. The present one has a star; those after it were undone and can be redone. Step 0 is \
      the original. Without --to nothing is written.

      The last \(EditHistory.limit) edits before the present one are kept, and those of other \
      programs; older ones give way, and the steps are numbered anew.

      Example:
        edit history beach.jpg
        edit history --to 2 beach.jpg
        edit history --json beach.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Go to the step of this number, back or forth.", valueName: "step"))
  var target: Int?

  @Option(
    help: ArgumentHelp(
      "With --to: JPEG quality of the render, from 1 to 100; without it what it was before."))
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
    if let target {
      try Limits.check(Double(target), in: 0...1_000_000, "--to")
    } else if quality != nil || dryRun.isOn {
      throw ValidationError("--quality and --dry-run say how to go to a step: name it with --to.")
    }
  }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let asset = Photo(path: photo)
    if let target {
      let result = try await editor.goToStep(
        target, ofHistoryOf: asset, quality: quality, dryRun: dryRun.isOn)
      return PhotoResult(
        result, did: "taken to step \(target)", nothing: "it is at step \(target)", to: photo,
        dryRun: dryRun)
    }
    let description = HistoryDescription(try await editor.history(of: asset))
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: description.details)
  }
}
