import SafelightRendering
import SafelightStorage

extension PhotoEditor {
  /// Renders a photo's edit again when its render is missing, or when another version of the
  /// renderer made it, which may have made other pixels.
  ///
  /// The edit and its history stay as they are, byte for byte, and so does the quality of the JPEG.
  ///
  /// - Parameters:
  ///   - asset: The photo.
  ///   - dryRun: Whether only to find out what would happen; nothing is rendered or written.
  /// - Returns: ``EditResult/Status/rendered``, with the render beside the original;
  ///   ``EditResult/Status/unchanged`` when it is up to date, or when the photo has no edit of
  ///   Safelight's own; ``EditResult/Status/skipped`` for what is a render itself.
  /// - Throws: ``EditError``, such as a render that somebody retouched, or another program's edit
  ///   without its render; everything stays as it was then.
  @discardableResult
  public func renderAgain(_ asset: Photo, dryRun: Bool = false) async throws(EditError)
    -> EditResult
  {
    try await working(on: asset.path) { cancellation in
      if dryRun {
        return try files(of: asset).reading(timeout: configuration.lockTimeout) { snapshot in
          let again = try RenderingAgain(snapshot, self)
          if let settled = again.settled { return settled }
          return again.result(at: try snapshot.plannedRenderPath(), warnings: [])
        }
      }
      let transaction = try begin(asset)
      defer { end(transaction, of: asset) }
      return try RenderingAgain(transaction.snapshot, self).commit(in: transaction, cancellation)
    }
  }
}

/// The present edit of a photo, to be rendered once more.
private struct RenderingAgain {
  let snapshot: PhotoSnapshot
  let editor: PhotoEditor
  /// The photo that this one is a render of, by name; `nil` for a photo to edit.
  let owner: String?

  init(_ snapshot: PhotoSnapshot, _ editor: PhotoEditor) throws {
    self.snapshot = snapshot
    self.editor = editor
    try snapshot.checkOriginal()
    try snapshot.checkRender()
    owner = try editor.owner(
      of: snapshot, editor.renderer.facts(of: editor.source(snapshot.original)))
  }

  /// The result when there is nothing to render.
  var settled: EditResult? {
    if let owner {
      return EditResult(
        status: .skipped, rendered: nil, record: nil,
        warnings: ["It is a render of \(owner); name that photo instead."])
    }
    guard let record = snapshot.record, isStale(record) else {
      return EditResult(
        status: .unchanged, rendered: snapshot.render,
        record: snapshot.record.map { _ in snapshot.recordPath }, warnings: [])
    }
    return nil
  }

  private func isStale(_ record: Record) -> Bool {
    guard let render = record.render else { return false }
    if snapshot.render == nil { return true }
    // What another program rendered, only that program can render again.
    return EditStack.canHandle(record.adjustmentData)
      && RendererDescription(render.renderer).version != Renderer.version
  }

  func result(at path: FilePath?, warnings: [String]) -> EditResult {
    EditResult(
      status: .rendered, rendered: path, record: snapshot.recordPath, warnings: warnings)
  }

  func commit(
    in transaction: Transaction, _ cancellation: RenderCancellation
  ) throws -> EditResult {
    if let settled { return settled }
    let original = snapshot.original
    guard let record = snapshot.record, EditStack.canHandle(record.adjustmentData) else {
      throw EditError.renderMissing(original.path)
    }
    let start = try StartingPoint(snapshot, canHandle: EditStack.canHandle)
    if start.start == .base { try snapshot.checkBase() }
    let description = RendererDescription(
      version: Renderer.version,
      quality: record.render.flatMap { RendererDescription($0.renderer).quality })
    let stack = try EditStack(record.adjustmentData)
    let reference = OriginalReference(
      fileName: original.name.string, sha256: try original.digest().description)
    var report: Renderer.Report?
    let render = try transaction.stageRender { sink in
      try editor.withSource(of: start, original) { source in
        report = try editor.renderer.render(
          source, edit: stack, as: description.output, derivedFrom: reference,
          cancellation: cancellation
        ) { bytes in try sink.write(bytes) }
      }
    }
    // `stageRender` has called its closure, or it has thrown.
    guard let report else { throw EditError.renderMissing(original.path) }
    let outcome = try transaction.commit(
      record.adjustmentData,
      editor: record.editorBundleID ?? editor.configuration.editorBundleIdentifier,
      timestamp: record.timestamp ?? editor.configuration.now(), render: render,
      pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight,
      renderer: description.text, base: transaction.base(for: start.start), history: .renderAgain)
    return result(
      at: outcome.render, warnings: report.warnings.map(\.description) + outcome.warnings)
  }
}
