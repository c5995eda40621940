import Arguments
import PhotoEditing

/// `edit revert`: drops the edits of photos.
struct RevertCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Drop the edits of photos.",
    discussion: """
      Removes the sidecar, the render and the base photo of each photo; the original is as it \
      always was. A render that somebody retouched is not removed: keep it with --keep-render.

      Example:
        edit revert beach.jpg
      """)

  @Argument(help: "The original photos.", completion: .photos)
  var photos: [String]

  @Flag(help: "Leave the render where it is, as a file of its own.")
  var keepRender = false

  @OptionGroup var options: PhotoOptions
  @OptionGroup var dryRun: DryRunOption

  /// The files that are there before anything is reverted.
  func prepare() -> Set<FilePath> {
    Set(photos.map { FilePath(argument: $0) }.filter(\.leadsSomewhere))
  }

  func work(
    on photo: FilePath, at index: Int, with present: Set<FilePath>, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    // “edit revert *.jpg” names renders too, which are gone when their turn comes.
    if present.contains(photo), !photo.leadsSomewhere {
      return PhotoResult(
        status: EditResult.Status.skipped.rawValue, text: "skipped, it went with its photo's edit")
    }
    let result = try await editor.revertAssetContentToOriginal(
      Asset(path: photo), keepingRender: keepRender, dryRun: dryRun.isOn)
    let kept = result.rendered?.shown(beside: photo)
    let text =
      switch result.status {
      case .reverted where dryRun.isOn: "would be reverted"
      case .reverted: "reverted" + (kept.map { ", \($0) stays" } ?? "")
      default: "unchanged, there is nothing to revert"
      }
    return PhotoResult(
      status: result.status.rawValue, text: text, rendered: kept, warnings: result.warnings,
      details: dryRun.details)
  }
}
