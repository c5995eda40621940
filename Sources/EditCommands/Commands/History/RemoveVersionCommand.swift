import Arguments
import PhotoEditing

/// `edit version remove`: drops a version of photos.
struct RemoveVersionCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Drop a version of photos.",
    discussion: """
      The version's render goes; the photo's edit stays, also when it is the same. A render that \
      somebody retouched is not removed.

      Example:
        edit version remove warm beach.jpg
      """)

  @Argument(help: "The version's name.")
  var name: String

  @Argument(help: "The original photos.")
  var photos: [String]

  @OptionGroup var options: PhotoOptions
  @OptionGroup var dryRun: DryRunOption

  /// The files that are there before anything is removed.
  func prepare() -> Set<FilePath> {
    Set(photos.map { FilePath(argument: $0) }.filter(\.leadsSomewhere))
  }

  func work(
    on photo: FilePath, at index: Int, with present: Set<FilePath>, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    // “edit version remove warm *.jpg” names renders too, which are gone when their turn comes.
    if present.contains(photo), !photo.leadsSomewhere {
      return PhotoResult(
        status: EditResult.Status.skipped.rawValue, text: "skipped, it went with the version")
    }
    let result = try await editor.removeVersion(
      named: name, of: Asset(path: photo), dryRun: dryRun.isOn)
    let text =
      switch result.status {
      case .skipped: result.status.rawValue
      default: dryRun.isOn ? "\(name) would be removed" : "\(name) removed"
      }
    return PhotoResult(
      status: result.status.rawValue, text: text,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: dryRun.details)
  }
}
