import PhotoEditing
import SafelightArguments

/// `edit version list`: lists the versions of photos.
struct ListVersionsCommand: PhotoCommand {
  static let words = ["version", "list"]
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the versions of photos.",
    discussion: """
      The one that is the photo's present edit has a star. Nothing is written.

      Example:
        edit version list beach.jpg
        edit version list --json *.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let versions = try await editor.versions(of: Photo(path: photo))
    let description = VersionsDescription(versions, photo: photo)
    return PhotoResult(
      status: "shown", text: description.text, rows: description.rows,
      details: [.init("versions", description.json)])
  }
}
