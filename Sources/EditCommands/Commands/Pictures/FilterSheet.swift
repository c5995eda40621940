import PhotoEditing
import SafelightArguments

/// What `edit filters --sheet` writes: a photo with each filter on one picture.
struct FilterSheet {
  let photo: FilePath
  let destination: RenderDestination
  let filters: [Filter]
  let columns: Int?
  /// Pixels along the longer side of a thumbnail.
  let longestSide: Int
  let overwrite: Bool

  /// Writes the sheet and says so.
  func write(json: Bool, on console: Console) async -> ExitCode {
    let start = ContinuousClock.now
    var outcome: Result<PhotoResult, PhotoFailure>
    do throws(EditError) {
      outcome = .success(try await write())
    } catch {
      outcome = .failure(PhotoFailure(error))
    }
    ResultPrinter(console: console, json: json, quiet: false)
      .print(PhotoReport(photo: photo, outcome: outcome, since: start))
    return (try? outcome.get()) == nil ? .failure : .success
  }

  private func write() async throws(EditError) -> PhotoResult {
    let path = destination.paths[0]
    let result = try await PhotoEditor().exportContactSheet(
      of: Photo(path: photo), with: filters, columns: columns, to: path,
      as: RenderOutput(format: destination.format, longestSide: longestSide),
      replacing: overwrite)
    let count = filters.count == 1 ? "1 filter" : "\(filters.count) filters"
    return PhotoResult(
      status: result.status.rawValue, text: "\(count) on \(path)", rendered: path,
      warnings: result.warnings,
      details: [JSONValue.Member("filters", .array(filters.map { .string($0.name) }))])
  }
}
