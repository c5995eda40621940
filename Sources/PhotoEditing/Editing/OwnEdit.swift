import FoundationEssentials
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// An edit of Safelight's own that is to be rendered and become the photo's.
struct OwnEdit {
  let data: AdjustmentData
  let stack: EditStack
  let start: StartingPoint
  let output: RenderOutput
  let editorBundleIdentifier: String
  let date: Date
  /// What becomes of the edit before it.
  let history: HistoryStep
  /// Where the photo is in its history then; `nil` when that is not what was asked for.
  var step: Int?

  func commit(
    in transaction: Transaction, by editor: PhotoEditor, _ cancellation: RenderCancellation
  ) throws -> EditResult {
    let base = try transaction.base(for: start.start)
    let original = transaction.original
    let reference = OriginalReference(
      fileName: original.name.string, sha256: try original.digest().description)
    var report: Renderer.Report?
    let render = try transaction.stageRender { sink in
      try editor.withSource(of: start, original) { source in
        report = try editor.renderer.render(
          source, edit: stack, as: output, derivedFrom: reference, cancellation: cancellation
        ) { bytes in try sink.write(bytes) }
      }
    }
    // `stageRender` has called its closure, or it has thrown.
    guard let report else { throw EditError.renderMissing(original.path) }
    let outcome = try transaction.commit(
      data, editor: editorBundleIdentifier, timestamp: date, render: render,
      pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight,
      renderer: RendererDescription(output).text, base: base, history: history)
    return EditResult(
      outcome, recordPath: transaction.snapshot.recordPath,
      warnings: report.warnings.map(\.description), step: step)
  }
}
