import Arguments
import PhotoEditing

/// `edit version list`: lists the versions of photos.
struct ListVersionsCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the versions of photos.",
    discussion: """
      The one that is the photo's present edit has a star. Nothing is written.

      Example:
        edit version list beach.jpg
        edit version list --json *.jpg
      """)

  @Argument(help: "The original photos.")
  var photos: [String]

  @OptionGroup var options: PhotoOptions

  func prepare() {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let versions = try await editor.versions(of: Asset(path: photo))
    let description = VersionsDescription(versions, photo: photo)
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: [.init("versions", description.json)])
  }
}
