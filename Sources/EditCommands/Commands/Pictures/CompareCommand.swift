import PhotoEditing
import SafelightArguments

/// `edit compare`: writes photos before and after their edits as one picture.
struct CompareCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Show photos before and after their edits.",
    discussion: """
      Writes one picture of the original and of the photo as it is now, each with its label: side by \
      side, or one above the other where that would be too wide. With --split it is one picture, \
      the original on the left of a line. --filter shows a filter that is not applied yet; without \
      it no picture is written of a photo that has no edit. The photo, its sidecar and its render stay \
      as they are.

      Example:
        edit compare beach.jpg -o before-after.jpg
        edit compare beach.jpg --split --at 0.3 -o split.png
        edit compare beach.jpg --filter noir -o noir.jpg
      """)

  @Flag(help: "Make one picture of two parts, the original on the left.")
  var split = false

  @Option(
    help: ArgumentHelp(
      "Where --split parts the picture, as a share of its width from 0 to 1; 0.5 without it.",
      valueName: "share"), in: 0...1)
  var at: Double?

  @Option(help: "Show this filter, or its file, in place of the photo's own.")
  var filter: String?

  @Option(help: "How strong the filter is, from 0 to 1.", in: 0...1)
  var intensity = 1.0

  @Option(
    help: ArgumentHelp("Make the whole at most this long on its longer side.", valueName: "pixels"),
    in: 200...16_383)
  var longestSide = 2400

  @OptionGroup var whole: BatchWideOptions
  @OptionGroup var picture: PictureOptions
  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }
  var output: OutputPath? { picture.output }

  func validate() throws {
    if at != nil, !split { throw ValidationError("--at needs --split.") }
  }

  /// What is shown, and where each picture goes.
  struct Preparation: Sendable {
    let comparison: PhotoComparison
    let destination: RenderDestination
  }

  func prepare(for photos: [FilePath]) throws -> Preparation {
    let filter = try filter.map { name throws(EditError) in
      try Filter.named(name, userFilters: CommandSurroundings.userFilters)
        .applied(intensity: intensity)
    }
    return Preparation(
      comparison: PhotoComparison(
        split ? .split(at: at ?? 0.5) : .automatic, filter: filter, caption: Self.caption),
      destination: try RenderDestination(
        writing: picture.output, of: photos,
        as: RenderOutput(format: .jpeg, quality: Int(picture.quality))))
  }

  /// What stands below the edited photo, such as `noir at 0.6`.
  @Sendable static func caption(of edit: EditStack) -> String {
    // The picture shows the crop, and its numbers would crowd the label.
    edit.inPipelineOrder.map { $0.isGeometry ? $0.id : $0.summary }.joined(separator: ", ")
  }

  func work(on task: PhotoTask<Preparation>) async throws(EditError) -> PhotoResult {
    let destination = task.preparation.destination
    let path = destination.paths[task.index]
    let result: EditResult
    do throws(EditError) {
      result = try await task.editor.exportComparison(
        of: task.photo, task.preparation.comparison, to: path,
        as: RenderOutput(
          format: destination.format, quality: picture.quality, longestSide: longestSide),
        replacing: picture.overwrite, dryRun: dryRun.isOn)
    } catch {
      guard case .nothingToCompare = error else { throw error }
      return PhotoResult(
        status: EditResult.Status.unchanged.rawValue,
        text: "unchanged, it has no edit to compare with", details: dryRun.details)
    }
    return PhotoResult(
      status: result.status.rawValue,
      text: dryRun.isOn ? "would be compared in \(path)" : "compared in \(path)",
      rendered: path, warnings: result.warnings, details: dryRun.details)
  }
}
