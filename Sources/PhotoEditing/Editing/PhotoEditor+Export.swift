import SafelightMetadata
import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Renders a photo as it is now, or without its edit, to a file of its own.
  ///
  /// The photo, its record and its render are not touched. Another program's edit is taken from
  /// its render.
  ///
  /// - Parameters:
  ///   - asset: The photo, edited or not.
  ///   - path: Where the picture goes.
  ///   - output: Format, quality and size.
  ///   - showsEdit: Whether the photo is written with its edit; otherwise as it was taken, upright.
  ///   - replacing: Whether a file of that name may be replaced.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Throws: ``EditError``; no file is left behind then.
  @discardableResult
  public func export(
    _ asset: Photo, to path: FilePath, as output: RenderOutput, showingEdit showsEdit: Bool = true,
    replacing: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> EditResult {
    try await working(on: asset.path) { cancellation in
      try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
        try snapshot.checkOriginal()
        try checkDestination(path, snapshot, replacing: replacing)
        let start =
          showsEdit
          ? try StartingPoint(snapshot, canHandle: EditStack.canHandle)
          : StartingPoint(originalOf: snapshot)
        if start.start == .render { try snapshot.checkRender() }
        if start.start == .base { try snapshot.checkBase() }
        let stack = try start.adjustmentData.map { data throws(AdjustmentError) in
          try EditStack(data)
        }
        guard !dryRun else {
          _ = try renderer.facts(of: source(snapshot.original))
          return EditResult(status: .rendered, rendered: path, record: nil, warnings: [])
        }
        let report = try write(
          start, stack ?? EditStack(), of: snapshot.original, to: path, as: output,
          replacing: replacing, cancellation)
        return EditResult(
          status: .rendered, rendered: path, record: nil,
          warnings: report.warnings.map(\.description))
      }
    }
  }

  private func write(
    _ start: StartingPoint, _ stack: EditStack, of original: OriginalFile, to path: FilePath,
    as output: RenderOutput, replacing: Bool, _ cancellation: RenderCancellation
  ) throws -> Renderer.Report {
    let reference = OriginalReference(
      fileName: original.name.string, sha256: try original.digest().description)
    var report: Renderer.Report?
    let isWritten = try fileSystem.writeWhole(path, replacing: replacing) { sink in
      try withSource(of: start, original) { source in
        report = try renderer.render(
          source, edit: stack, as: output, derivedFrom: reference, cancellation: cancellation
        ) { bytes in try sink.write(bytes) }
      }
    }
    guard isWritten, let report else { throw EditError.destinationTaken(path, .exists) }
    return report
  }

  /// Calls `body` with the pixels that an edit starts from, open.
  nonisolated func withSource(
    of start: StartingPoint, _ original: OriginalFile, _ body: (PhotoSource) throws -> Void
  ) throws {
    switch start.start {
    case .original: try body(source(original))
    case .base, .render:
      let file = try fileSystem.openForReading(start.path)
      try body(
        source(descriptor: file.descriptor, name: start.path.lastComponent ?? start.path))
    }
  }

  /// Throws when a picture may not be written to a path.
  func checkDestination(
    _ path: FilePath, _ snapshot: PhotoSnapshot, replacing: Bool
  ) throws {
    let own = [snapshot.original.path, snapshot.recordPath] + snapshot.paths
    if own.contains(where: { fileSystem.areSameFile($0, path) }) {
      throw EditError.destinationTaken(path, .belongsToThePhoto)
    }
    if try !replacing && fileSystem.exists(path) { throw EditError.destinationTaken(path, .exists) }
  }
}
