import PhotoEditing
import SafelightArguments

/// `edit render`: writes photos as they are now to files of their own, or renews their renders.
struct RenderCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write photos, edited as they are, to other files.",
    discussion: """
      Renders each photo from its original with its edit to a JPEG, PNG, TIFF or WebP elsewhere. \
      The photo, its sidecar and its render stay as they are.

      With --stale the renders beside the photos are made again where they are missing or come \
      from an older renderer; edit, history and quality stay.

      Example:
        edit render beach.jpg -o beach.png
        edit render *.jpg -o web --longest-side 1600 --quality 85
        edit render --stale *.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write, or a folder for several.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Renew the renders beside the photos that are missing or of an older renderer.")
  var stale = false

  @Option(help: "The format; without it the output's ending says it, or it is jpeg.")
  var format: RenderOutput.Format?

  @Option(
    help: ArgumentHelp("Make the longer side at most this long.", valueName: "pixels"))
  var longestSide: Int?

  @Option(help: "Quality of JPEG and WebP, from 1 to 100; 95 without it.")
  var quality: Int?

  @Flag(help: "Write the photos without their edits, upright.")
  var original = false

  @Flag(help: "Replace files that are there.")
  var overwrite = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    try checkStale()
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
    if let longestSide {
      try Limits.check(Double(longestSide), in: 1...1_000_000, "--longest-side")
    }
  }

  func prepare(for photos: [FilePath]) throws -> Destination {
    guard let output else { return .inPlace }
    let destination = RenderDestination(
      FilePath(argument: output), photos: photos, format: format)
    if let mismatch = destination.mismatch { throw ValidationError(mismatch) }
    return .elsewhere(destination)
  }

  /// Alone, a photo goes to its own file of the folder.
  func options(for index: Int, with destination: Destination) -> [String: String] {
    guard case .elsewhere(let destination) = destination else { return [:] }
    return ["output": destination.paths[index].argument]
  }

  func work(
    on photo: FilePath, at index: Int, with destination: Destination, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    guard case .elsewhere(let destination) = destination else {
      return try await renderAgain(photo, by: editor)
    }
    let path = destination.paths[index]
    let result = try await editor.export(
      Photo(path: photo), to: path,
      as: RenderOutput(
        format: destination.format, quality: quality ?? RenderOutput.standard.quality,
        longestSide: longestSide),
      showingEdit: !original, replacing: overwrite, dryRun: dryRun.isOn)
    return PhotoResult(
      status: result.status.rawValue,
      text: dryRun.isOn ? "would be rendered to \(path)" : "rendered to \(path)",
      rendered: path, warnings: result.warnings,
      details: dryRun.details)
  }
}

extension RenderOutput.Format: ExpressibleByArgument {}
