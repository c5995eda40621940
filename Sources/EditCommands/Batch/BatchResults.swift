import PhotoEditing
import SafelightArguments
import Synchronization

/// Where the results of a batch go: the console, the files that were asked for, and the summary at
/// the end.
final class BatchResults: Sendable {
  let printer: ResultPrinter
  private let files: BatchFiles
  /// Whether renders and sidecars that were named beside photos are only counted.
  private let sumsUpParts: Bool
  private let summary: Mutex<BatchSummary>

  init(
    _ printer: ResultPrinter, _ files: BatchFiles, of selection: PhotoSelection, isDryRun: Bool
  ) {
    self.printer = printer
    self.files = files
    sumsUpParts = !printer.json && !selection.photos.isEmpty
    summary = Mutex(BatchSummary(isDryRun: isDryRun))
  }

  /// Takes the result of the file of this number.
  func add(_ report: PhotoReport, at index: Int) {
    files.add(report, at: index)
    if report.isPart, sumsUpParts {
      summary.withLock { $0.parts += 1 }
    } else {
      printer.print(report)
      summary.withLock { $0.add(report) }
    }
  }

  /// Says what became of the photos. A single photo's own line says all of that.
  func finish() {
    let summary = summary.withLock { $0 }
    if !printer.json, !printer.quiet { summary.lines.forEach(printer.console.message) }
  }

  /// How many renders and sidecars were counted.
  var parts: Int { summary.withLock(\.parts) }
}

/// What became of the photos of a batch.
struct BatchSummary: Sendable {
  let isDryRun: Bool
  /// How many renders and sidecars were passed over.
  var parts = 0
  private var counts: [String: Int] = [:]
  /// The first failures.
  private var failures: [(photo: FilePath, failure: PhotoFailure)] = []

  /// Most failures that are named.
  static let mostNamed = 20

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  mutating func add(_ report: PhotoReport) {
    counts[report.status, default: 0] += 1
    if case .failure(let failure) = report.outcome, failures.count < Self.mostNamed {
      failures.append((report.photo, failure))
    }
  }

  /// The order in which the statuses are said.
  private static let order = [
    "edited", "reverted", "rendered", "relinked", "unchanged", "skipped", "failed",
  ]

  /// The lines for people; none for a single photo, and none where photos were only shown.
  var lines: [String] {
    let total = counts.values.reduce(0, +)
    guard total > 1, counts.keys.contains(where: Self.order.contains) else { return [] }
    let others = counts.keys.filter { !Self.order.contains($0) }.sorted()
    let said = (others + Self.order).compactMap { status in
      counts[status].map { "\($0) \(status)" }
    }
    let start = counted(total, "photo") + (isDryRun ? " in a dry run" : "")
    var lines = ["edit: \(start): \(said.joined(separator: ", "))."]
    for (photo, failure) in failures {
      let name = photo.string
      let reason = failure.message
      lines.append("  " + (reason.contains(name) ? reason : "\(name): \(reason)").onOneLine)
    }
    let failed = counts["failed"] ?? 0
    if failed > failures.count { lines.append("  and \(failed - failures.count) more") }
    return lines
  }
}
