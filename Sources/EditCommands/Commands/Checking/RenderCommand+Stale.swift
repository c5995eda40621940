import PhotoEditing
import SafelightArguments

extension RenderCommand {
  /// What is to be written.
  enum Destination: Sendable {
    /// Pictures elsewhere.
    case elsewhere(RenderDestination)
    /// Renders in place that are missing or of an older renderer.
    case inPlace
  }

  /// Refuses options that do not go together.
  func checkStale() throws(ValidationError) {
    guard stale else {
      if output == nil {
        throw ValidationError(
          "Say where to write with --output, or --stale to renew renders in place.")
      }
      return
    }
    let others: [(String, Bool)] = [
      ("--output", output != nil), ("--format", format != nil),
      ("--longest-side", longestSide != nil), ("--quality", quality != nil),
      ("--overwrite", overwrite),
    ]
    if let other = others.first(where: \.1)?.0 {
      throw ValidationError(
        "--stale renews renders in place, as they were made; leave \(other) out.")
    }
  }

  func renderAgain(
    _ photo: FilePath, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.renderAgain(Photo(path: photo), dryRun: dryRun.isOn)
    let rendered = result.rendered?.shown(beside: photo)
    let name = rendered?.string ?? "its render"
    let text =
      switch result.status {
      case .rendered where dryRun.isOn: "would be rendered again to \(name)"
      case .rendered: "rendered again to \(name)"
      case .unchanged where result.record == nil: "unchanged, it has no edit"
      case .unchanged where rendered == nil: "unchanged, there is no render to renew"
      case .unchanged: "unchanged, \(name) is up to date"
      default: result.status.rawValue
      }
    return PhotoResult(
      status: result.status.rawValue, text: text, rendered: rendered,
      record: result.record?.shown(beside: photo), warnings: result.warnings,
      details: dryRun.details)
  }
}
