import FoundationEssentials
import Metadata
import Rendering
import Storage

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
      renderer: output.rendererDescription, base: base, history: history)
    return EditResult(
      outcome, recordPath: transaction.snapshot.recordPath,
      warnings: report.warnings.map(\.description), step: step)
  }
}

extension RenderOutput {
  private static let qualityMark = " jpeg quality "

  /// The renderer with what else decides a render's bytes, as records keep it.
  var rendererDescription: String { "\(Renderer.version)\(Self.qualityMark)\(quality)" }

  /// The JPEG quality of a render that this renderer or an earlier one made; `nil` when another
  /// program did.
  static func quality(in rendererDescription: String) -> Int? {
    let parts = rendererDescription.split(separator: qualityMark)
    guard parts.count == 2, let quality = Int(parts[1]), (1...100).contains(quality) else {
      return nil
    }
    return quality
  }
}
