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

  @OptionTable(OperationOptions.rows(of: EditActions.Revert.self)) var given

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

  func prepare(for photos: [FilePath]) throws -> EditOperation {
    try OperationOptions.operation(of: EditActions.Revert.self, given)
  }

  func work(on task: PhotoTask<EditOperation>) async throws(EditError) -> PhotoResult {
    try await task.perform(task.preparation, dryRun: dryRun)
  }
}
