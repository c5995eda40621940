import PhotoEditing
import SafelightArguments

/// `edit revert`: drops the edits of photos.
struct RevertCommand: ChangingCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Drop the edits of photos.",
    discussion: """
      Removes the sidecar, the render and the base photo of each photo; the original is as it \
      always was. A render that somebody retouched is not removed: keep it with --keep-render. \
      Named versions keep a photo from being reverted; --versions drops them too. The history of an \
      edit goes with it. On a terminal, revert asks before it drops more than twenty edits; without \
      one, and with --yes, it does not ask.

      Example:
        edit revert beach.jpg
        edit revert --recursive holiday --yes
      """)

  @Flag(help: "Leave the render where it is, as a file of its own.")
  var keepRender = false

  @Flag(help: "Drop the photo's named versions too.")
  var versions = false

  @Flag(name: .shortAndLong, help: "Do not ask, however many edits are dropped.")
  var yes = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var whole: BatchWideOptions

  /// The most edits that are dropped without a question.
  static let mostUnasked = 20

  func refusal(of photos: [FilePath], on console: Console) async -> ExitCode? {
    guard !yes, !dryRun.isOn, let terminal = CommandSurroundings.questionTerminal else {
      return nil
    }
    let edits = photos.count { $0.hasSidecar }
    guard edits > Self.mostUnasked else { return nil }
    do throws(CancellationError) {
      let question = "Drop the edits of \(edits) photos with their histories, for good?"
      if try await terminal.confirm(question) { return nil }
      console.message("edit: Nothing was reverted.")
      return .failure
    } catch {
      console.message("edit: Nothing was reverted.")
      return ExitCode(130)
    }
  }

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    let result = try await task.editor.revertAssetContentToOriginal(
      task.photo, keepingRender: keepRender, droppingVersions: versions, dryRun: dryRun.isOn)
    let kept = result.rendered?.shown(beside: task.path)
    let text =
      switch result.status {
      case .reverted where dryRun.isOn: "would be reverted"
      case .reverted: "reverted" + (kept.map { ", \($0) stays" } ?? "")
      default: "unchanged, there is nothing to revert"
      }
    return PhotoResult(
      status: result.status.rawValue, text: text, rendered: kept, warnings: result.warnings,
      details: result.unfinished + dryRun.details)
  }
}
