import PhotoEditing
import SafelightArguments
import SafelightFiles

/// `edit render`: writes photos as they are now to files of their own, or renews their renders.
struct RenderCommand: PhotoCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Write photos, edited as they are, to other files.",
    discussion: """
      Renders each photo from its original with its edit to a JPEG, PNG, TIFF, WebP, AVIF or JPEG XL elsewhere. \
      The photo, its sidecar and its render stay as they are.

      With --stale the renders beside the photos are made again where they are missing or come \
      from an older renderer; edit, history and quality stay.

      Example:
        edit render beach.jpg -o beach.png
        edit render *.jpg -o web --longest-side 1600 --quality 85
        edit render *.jpg -o web --fill 1080x1350 --max-bytes 500kB
        edit render -r photos -o web --keep-folders --newer --longest-side 1600
        edit render *.jpg -o web --watermark "© Ann" --watermark-place bottom
        edit render *.jpg -o lab --profile paper.icc --intent perceptual --format tiff
        edit render *.jpg -o prints --name "{date:%Y}/{name}" --sharpen matte
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

  @Option(
    help: ArgumentHelp(
      """
      Names of the files in a folder, without endings, made of {name}, {date:%Y-%m}, {n:3}, {filter} and {version}; a \
      slash makes a folder.
      """, valueName: "template"))
  var name: String?

  @Flag(help: "Make the folders that the photos are in below the named one, too.")
  var keepFolders = false

  @Flag(help: "Pass over photos whose file is there already.")
  var skipExisting = false

  @Flag(help: "Replace files that are older than the photo or its edit, and pass over the others.")
  var newer = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    try checkStale()
    _ = try OperationOptions.output(described)
    if let name { _ = try NameTemplate(name) }
    let repeats = [
      ("--overwrite", overwrite), ("--skip-existing", skipExisting), ("--newer", newer),
    ].filter(\.1).map(\.0)
    if repeats.count > 1 {
      throw ValidationError("Give only one of \(repeats.joined(separator: " and ")).")
    }
    try checkStandardOutput()
  }

  /// Where pictures go and how; `nil` renews the renders beside the photos.
  func prepare(for photos: [FilePath]) async throws -> RenderDestination? {
    guard let output else { return nil }
    let (picture, given) = try OperationOptions.output(described)
    return try RenderDestination(
      writing: output, of: photos, as: try picture.readingFiles(),
      hasFormat: given.contains("format"),
      names: try await names(of: photos))
  }

  /// The names of the files in a folder; `nil` for the photos' own.
  private func names(of photos: [FilePath]) async throws -> [FilePath]? {
    guard name != nil || keepFolders else { return nil }
    let template = try NameTemplate(name ?? "{name}")
    let editor = PhotoEditor(editing)
    var names: [FilePath] = []
    for (index, photo) in photos.enumerated() {
      let facts = template.needsFacts ? await editor.nameFacts(of: photo) : .init()
      let own = template.name(of: photo, number: index + 1, facts)
      names.append(keepFolders ? folder(of: photo).map { $0.appending(own) } ?? own : own)
    }
    return names
  }

  /// The folders between the one that was named and a photo; `nil` for a photo that was named itself.
  private func folder(of photo: FilePath) -> FilePath? {
    let named = selection.photos.map { FilePath(argument: $0) }.filter { photo.isInside($0) }
    guard let root = named.max(by: { $0.bytes.count < $1.bytes.count }) else { return nil }
    let folder = photo.relative(to: root).removingLastComponent()
    return folder.isEmpty || folder.hasParentComponent ? nil : folder
  }

  func work(on task: PhotoTask<RenderDestination?>) async throws(EditError) -> PhotoResult {
    guard let destination = task.preparation else {
      return try await task.perform(.renderAgain, dryRun: dryRun)
    }
    let path = destination.paths[task.index]
    if !writesToStandardOutput, isDone(path, of: task.path) {
      return PhotoResult(status: "unchanged", text: "\(path) is there already", rendered: path)
    }
    if name != nil || keepFolders, !dryRun.isOn {
      do {
        try FileSystem.real.createFolders(path.removingLastComponent(), mode: 0o755)
      } catch {
        throw .fileSystem(path: path, error)
      }
    }
    let result =
      if writesToStandardOutput {
        try await task.editor.export(
          task.photo, as: destination.output, showingEdit: !original, dryRun: dryRun.isOn
        ) { bytes in try FileSystem.real.writeToStandardOutput(bytes) }
      } else {
        try await task.editor.export(
          task.photo, to: path, as: destination.output, showingEdit: !original,
          replacing: overwrite || (newer && isOwnPicture(path)), dryRun: dryRun.isOn)
      }
    return PhotoResult(exported: result, to: path, dryRun: dryRun.isOn)
  }
}

extension RenderCommand {
  /// Whether a file is a picture that Safelight wrote: --newer replaces no others.
  private func isOwnPicture(_ path: FilePath) -> Bool {
    (try? OutputRule().isMarkedPicture(path)) == true
  }

  /// Whether the file of a photo stays as it is: with --skip-existing one that is there, with --newer one that is not
  /// older than the photo and its sidecar.
  private func isDone(_ path: FilePath, of photo: FilePath) -> Bool {
    guard skipExisting || newer,
      let file = try? FileSystem.real.statusFollowingLinks(of: path), file.kind == .file
    else { return false }
    if skipExisting { return true }
    return [photo, photo.suffixed(".aae")].allSatisfy { source in
      guard let status = try? FileSystem.real.statusFollowingLinks(of: source) else { return true }
      return status.modified.inNanoseconds <= file.modified.inNanoseconds
    }
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
        ("--overwrite", overwrite), ("--original", original), ("--name", name != nil),
        ("--keep-folders", keepFolders), ("--skip-existing", skipExisting), ("--newer", newer),
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
