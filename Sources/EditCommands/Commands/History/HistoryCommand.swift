import PhotoEditing
import SafelightArguments

/// `edit history`: lists the edits of photos, goes to one of them, or merges those of other machines.
struct HistoryCommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits of photos, go to one of them, or merge those of other machines.",
    discussion: """
      Prints what each edit changed, when, and which program made it if that was another \
      one. The present one has a star; those after it were undone and can be redone. Step 0 is \
      the original. Without --to nothing is written.

      The last \(EditHistory.limit) edits before the present one are kept, and those of other \
      programs; older ones are dropped, and the steps are numbered again.

      When two machines edited the photo, a program that syncs folders keeps one sidecar and copies \
      the other, as “beach.jpg.sync-conflict-20240101.aae” or “beach.jpg (conflicted copy).aae”. The \
      edits in such a copy that the photo's history does not have are listed under it. With --merge \
      its newest edit becomes a version of the photo, with the edits before it, which “edit version \
      list” shows, and its versions become versions of the photo. The copy goes to \
      “.safelight-trash” in the photo's folder. The photo's own edit stays as it is; “edit version \
      use” gives it the other one.

      Example:
        edit history beach.jpg
        edit history --merge beach.jpg
        edit history --to 2 beach.jpg
        edit history --json beach.jpg
      """)

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Go to the step of this number, back or forth.", valueName: "step"),
    in: 0...1_000_000)
  var target: Int?

  @Flag(help: "Keep other machines' edits as versions, and put the copies of the sidecar away.")
  var merge = false

  @Option(
    help: ArgumentHelp(
      "With --to: JPEG quality of the render, from 1 to 100; without it what it was before."),
    in: Limits.quality)
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    if target != nil {
      if merge { throw ValidationError("--to and --merge do two things; give one of them.") }
    } else if quality != nil || dryRun.isOn && !merge {
      throw ValidationError("--quality and --dry-run say how to go to a step: name it with --to.")
    }
  }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    if let target {
      return try await task.perform(.goToStep(target), quality: quality, dryRun: dryRun)
    }
    if merge { return try await task.perform(.mergeEdits, dryRun: dryRun) }
    return PhotoResult(try await HistoryDescription(of: task.path, task.editor))
  }
}
