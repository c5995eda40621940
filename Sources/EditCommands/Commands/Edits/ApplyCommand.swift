import PhotoEditing
import SafelightArguments

/// `edit apply`: gives photos a filter.
struct ApplyCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Give photos a filter.",
    discussion: """
      Renders each photo beside its original and stores the edit. The filter takes the place of \
      one that is there; --add puts it on top. Doing the same again changes nothing.

      A lookup table works like a filter: a .cube file, 1D or 3D, or a HaldCLUT picture. The edit \
      keeps the table, so the file is not needed any more.

      Example:
        edit apply noir beach.jpg
        edit apply vivid-warm --intensity 0.6 holiday/*.jpg
        edit apply kodak.cube beach.jpg
        edit apply noir --album Holidays
      """)

  @Argument(
    help: """
      A filter's name, as “edit filters” lists them, or a file: a filter's JSON, a .cube lookup \
      table, or a HaldCLUT picture.
      """, completion: .filtersAndFiles)
  var filter: String

  @Option(help: "How strong the filter is, from 0 to 1.")
  var intensity = 1.0

  @Flag(help: "Put the filter on top of the present ones.")
  var add = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    try Limits.check(intensity, in: 0...1, "--intensity")
  }

  func prepare(for photos: [FilePath]) throws(EditError) -> AppliedFilter {
    try Filter.named(filter, userFilters: CommandSurroundings.userFilters)
      .applied(intensity: intensity)
  }

  func work(on task: PhotoTask<AppliedFilter>) async throws(EditError) -> PhotoResult {
    let filter = task.preparation
    let result = try await task.editor.apply(
      filter, add ? .adding : .replacing, to: task.photo, quality: quality, dryRun: dryRun.isOn)
    return PhotoResult(result, did: filter.name, to: task.path, dryRun: dryRun)
  }
}
