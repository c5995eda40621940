import PhotoEditing
import PhotoLibraryKit
import SafelightEditServer

/// The words of `--json`, for the server.
struct CommandLineWords: ServerWords {
  let version = Version.number
  let userFilters = CommandSurroundings.userFilters
  var errors: [JSONValue] { ErrorExplanation.all.map(\.json) }

  func state(_ state: PhotoState, of photo: FilePath) -> [JSONValue.Member] {
    StateDescription(state: state, photo: photo).details
  }

  func history(
    _ history: EditHistory, _ conflicts: [ConflictingEdits], of photo: FilePath
  ) -> [JSONValue.Member] {
    HistoryDescription(history: history, conflicts: conflicts, photo: photo).details
  }

  func versions(_ versions: [PhotoVersion], of photo: FilePath) -> [JSONValue] {
    VersionsDescription(versions: versions, photo: photo).json
  }

  func histogram(_ histograms: PhotoHistograms) -> JSONValue {
    HistogramDescription(histograms: histograms, drawing: nil, warnings: []).jsonWithBins
  }

  func asset(_ asset: Asset) -> [JSONValue.Member] { asset.members }

  func result(_ result: EditResult, of photo: FilePath, dryRun: Bool) -> [JSONValue.Member] {
    JSONValue.members([
      "status": result.status.rawValue, "rendered": result.rendered?.shown(beside: photo),
      "record": result.record?.shown(beside: photo),
      "warnings": result.warnings.isEmpty ? nil : result.warnings,
      "notes": result.automatic?.notes.isEmpty == false ? result.automatic?.notes : nil,
    ]) + result.details(dryRun: dryRun)
  }

  func edit(_ edit: EditStack) -> [JSONValue.Member] {
    JSONValue.members([
      "adjustments": edit.entriesAsJSON, "values": edit.values, "summary": edit.summary,
    ])
  }

  func failure(_ error: any Error) -> ServerFailure? {
    guard let error = error as? any Explained else { return nil }
    let failure = PhotoFailure(error)
    return ServerFailure(
      code: failure.code, message: failure.message, hint: failure.advice?.elsewhere)
  }

  func warn(_ text: String) { Console.standard.message("edit: \(text)".onOneLine) }
}
