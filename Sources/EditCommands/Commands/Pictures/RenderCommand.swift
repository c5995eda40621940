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

      With --edit the picture shows an edit in place of the photo's own, and with - as the photo \
      it is made of what comes on standard input; then no file is read or written besides.

      A picture says in its metadata which original, edit and output it was made of. --newer and \
      --skip-existing go by that, and never take another photo's picture for this photo's.

      Example:
        edit render beach.jpg -o beach.png
        edit render *.jpg -o web --longest-side 1600 --quality 85
        edit render *.jpg -o web --fill 1080x1350 --max-bytes 500kB
        edit render -r photos -o web --keep-folders --newer --longest-side 1600
        edit render *.jpg -o web --metadata no-place --copyright "© 2024 Ann Example"
        edit render *.jpg -o web --watermark "© Ann" --watermark-place bottom
        edit render *.jpg -o lab --profile paper.icc --intent perceptual --format tiff
        edit render *.jpg -o prints --name "{date:%Y}/{name}" --sharpen matte
        edit render --stale *.jpg
        edit render beach.jpg -o proof.jpg --edit '{"values": {"exposure": 0.5}}'
        edit render --edit edit.json - -o - < beach.jpg | display
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

  @Option(
    help: ArgumentHelp(
      """
      Show this edit of the original: an object of JSON as “edit adjustments --schema” describes it or the file of one, a \
      filter, a .cube file, or a sidecar.
      """, valueName: "edit"), completion: .file())
  var edit: String?

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

  @Flag(
    help:
      "Pass over photos whose file is there already, unless that is the picture of another photo.")
  var skipExisting = false

  @Flag(
    help: """
      Replace pictures of the photo that were made of another original, edit or output, and pass over the others. Not with \
      --metadata none, whose pictures do not say what they are made of.
      """)
  var newer = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
  @OptionGroup var whole: BatchWideOptions

  var editing: PhotoEditor.Configuration { decoding.configuration }

  func validate() throws {
    try checkStandardInput()
    try checkStale()
    if original, edit != nil {
      throw ValidationError("--original shows no edit, so --edit says nothing; leave one out.")
    }
    _ = try OperationOptions.output(described, to: output)
    if let name { _ = try NameTemplate(name) }
    let repeats = [
      ("--overwrite", overwrite), ("--skip-existing", skipExisting), ("--newer", newer),
    ].filter(\.1).map(\.0)
    if repeats.count > 1 {
      throw ValidationError("Give only one of \(repeats.joined(separator: " and ")).")
    }
    try checkStandardOutput(unless: repeats.first)
  }

  func run(on console: Console) async throws -> ExitCode {
    try await readsStandardInput ? renderStandardInput(on: console) : runOnFiles(on: console)
  }

  /// Where pictures go and how; `nil` renews the renders beside the photos.
  func prepare(for photos: [FilePath]) async throws -> RenderDestination? {
    guard let output else { return nil }
    let (picture, given) = try OperationOptions.output(described, to: output)
    if newer, picture.metadata == .none {
      throw ValidationError(
        "--newer cannot see how pictures without metadata were made; choose --metadata copyright, or --skip-existing."
      )
    }
    var destination = try RenderDestination(
      writing: output, of: photos, as: try picture.readingFiles(),
      hasFormat: given.contains("format"), names: try await names(of: photos),
      isForSeveral: selection.recursive, keepsNumbers: skipExisting || newer)
    destination.edit = try await edit.map { try EditRequest(named: $0) }?.resolved(by: .commandLine)
    return destination
  }

  /// The names of the files in a folder; `nil` for the photos' own.
  private func names(of photos: [FilePath]) async throws -> [FilePath]? {
    guard name != nil || keepFolders else { return nil }
    let template = try NameTemplate(name ?? "{name}")
    let editor = PhotoEditor(editing)
    let base = keepFolders ? base(of: photos) : nil
    var names: [FilePath] = []
    for (index, photo) in photos.enumerated() {
      let facts = template.needsFacts ? await editor.nameFacts(of: photo) : .init()
      let own = template.name(of: photo, number: index + 1, facts)
      let folder = base.map { photo.withoutDots.relative(to: $0).removingLastComponent() } ?? ""
      names.append(folder.appending(own))
    }
    return names
  }

  /// The deepest folder that holds every folder and photo that was named.
  private func base(of photos: [FilePath]) -> FilePath? {
    let named = selection.photos.map { FilePath(argument: $0).withoutDots }
      .filter { (try? FileSystem.real.kind(of: $0, following: true)) == .folder }
    let others = photos.map(\.withoutDots).filter { photo in
      !named.contains { photo.isInside($0) }
    }
    return (named + others.map { $0.removingLastComponent() }).reduce(nil) { common, folder in
      var common: FilePath = common ?? folder
      while common != folder, !folder.isInside(common) { common = common.removingLastComponent() }
      return common
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
          task.photo, as: destination.output, showingEdit: !original,
          edit: destination.edit, dryRun: dryRun.isOn
        ) { bytes in try FileSystem.real.writeToStandardOutput(bytes) }
      } else {
        try await task.editor.export(
          task.photo, to: path, as: destination.output, showingEdit: !original,
          edit: destination.edit, existing: existing, makingFolders: name != nil || keepFolders,
          dryRun: dryRun.isOn)
      }
    return PhotoResult(exported: result, to: path, dryRun: dryRun.isOn)
  }
}

extension RenderCommand {
  /// What becomes of files that are there.
  private var existing: ExistingFile {
    overwrite ? .replaced : skipExisting ? .kept : newer ? .renewed : .refused
  }
}

extension FilePath {
  /// The path from the root, without the parts `.` and `..`, so that paths to one folder are equal.
  fileprivate var withoutDots: FilePath {
    var parts: [ArraySlice<UInt8>] = []
    for part in absolute.bytes.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual("..".utf8) {
        _ = parts.popLast()
      } else if !part.elementsEqual(".".utf8) {
        parts.append(part)
      }
    }
    return FilePath(bytes: [UInt8(ascii: "/")] + parts.joined(separator: [UInt8(ascii: "/")]))
  }
}

extension PhotoResult {
  /// A picture that was written to a file.
  init(exported result: EditResult, to path: FilePath, dryRun: Bool) {
    let isThere = result.status == .unchanged
    self.init(
      status: result.status.rawValue,
      text: isThere
        ? "\(path) is there already"
        : dryRun ? "would be rendered to \(path)" : "rendered to \(path)",
      rendered: path, warnings: result.warnings,
      details: JSONValue.members([
        "lossless": result.isLossless ? true : nil, "dryRun": dryRun ? true : nil,
      ]))
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
        ("--edit", edit != nil), ("--overwrite", overwrite), ("--original", original),
        ("--name", name != nil),
        ("--keep-folders", keepFolders), ("--skip-existing", skipExisting), ("--newer", newer),
      ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "--stale renews renders in place, as they were made; leave \(other) out.")
    }
  }

  /// Refuses what cannot go together with a picture on standard output.
  ///
  /// - Parameter repeats: The option that says what becomes of files that are there.
  private func checkStandardOutput(unless repeats: String?) throws(ValidationError) {
    guard writesToStandardOutput else { return }
    if let repeats {
      throw ValidationError("“-o -” writes no file, so \(repeats) says nothing; leave it out.")
    }
    if options.json {
      throw ValidationError("--json and “-o -” both write to standard output; leave one out.")
    }
  }
}
