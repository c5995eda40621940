import PhotoEditing
import SafelightArguments
import SafelightFiles

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
        edit render *.jpg -o web --fill 1080x1350 --max-bytes 500kB
        edit render --stale *.jpg
        edit render beach.jpg -o - --format png | display
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or a folder for several; - is standard output.", valueName: "path"),
    completion: .file())
  var output: OutputPath?

  @Flag(help: "Renew the renders beside the photos that are missing or of an older renderer.")
  var stale = false

  var mayChangePhotos: Bool { stale }

  @OptionTable(OperationOptions.rows(of: RenderOutput.self)) var described

  @Flag(help: "Write the photos without their edits, upright.")
  var original = false

  @Flag(help: "Replace files that are there; photos never.")
  var overwrite = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    try checkStale()
    _ = try OperationOptions.output(described)
    try checkStandardOutput()
  }

  /// Where pictures go and how; `nil` renews the renders beside the photos.
  func prepare(for photos: [FilePath]) throws -> RenderDestination? {
    let (picture, given) = try OperationOptions.output(described)
    return try output.map {
      try RenderDestination(
        writing: $0, of: photos, as: picture, hasFormat: given.contains("format"))
    }
  }

  func work(on task: PhotoTask<RenderDestination?>) async throws(EditError) -> PhotoResult {
    guard let destination = task.preparation else {
      return try await task.perform(.renderAgain, dryRun: dryRun)
    }
    let path = destination.paths[task.index]
    let result =
      if writesToStandardOutput {
        try await task.editor.export(
          task.photo, as: destination.output, showingEdit: !original, dryRun: dryRun.isOn
        ) { bytes in try FileSystem.real.writeToStandardOutput(bytes) }
      } else {
        try await task.editor.export(
          task.photo, to: path, as: destination.output, showingEdit: !original,
          replacing: overwrite, dryRun: dryRun.isOn)
      }
    return PhotoResult(exported: result, to: path, dryRun: dryRun.isOn)
  }
}

extension PhotoResult {
  /// A picture that was written to a file.
  init(exported result: EditResult, to path: FilePath, dryRun: Bool) {
    self.init(
      status: result.status.rawValue,
      text: dryRun ? "would be rendered to \(path)" : "rendered to \(path)",
      rendered: path, warnings: result.warnings,
      details: dryRun ? JSONValue.members(["dryRun": true]) : [])
  }
}

extension RenderCommand {
  /// Refuses options that do not go together.
  func checkStale() throws(ValidationError) {
    guard stale else {
      if output == nil {
        throw ValidationError(
          "Say where to write with --output, or --stale to renew renders in place.")
      }
      return
    }
    let others: [(String, Bool)] =
      [("--output", output != nil)] + described.map { ("--" + $0.name, true) } + [
        ("--overwrite", overwrite), ("--original", original),
      ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "--stale renews renders in place, as they were made; leave \(other) out.")
    }
  }

  /// Refuses what cannot go together with a picture on standard output.
  private func checkStandardOutput() throws(ValidationError) {
    guard writesToStandardOutput else { return }
    if options.json {
      throw ValidationError("--json and “-o -” both write to standard output; leave one out.")
    }
  }
}
