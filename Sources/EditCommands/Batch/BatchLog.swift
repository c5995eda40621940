import PhotoEditing

/// Where a batch tells what becomes of its photos: the console, in the order of the photos, the
/// progress, and files that somebody asked for. Used by one thread at a time.
final class BatchLog {
  private let printer: ResultPrinter
  private let display: ProgressDisplay
  private let files: BatchFiles
  private var progress: BatchProgress
  private var ordered = OrderedReports()
  /// Whether nothing is printed before it is known what becomes of all photos.
  private let waits: Bool
  private var waiting: [Int: PhotoReport] = [:]
  /// How many photos were changed of those that were waited with.
  private(set) var changes = 0

  /// How many photos failed.
  var failures: Int { progress.failed }
  /// The first photo whose result was not printed yet.
  var next: Int { ordered.next }
  /// How many photos are not done.
  var remaining: Int { progress.total - progress.done }
  /// How long the progress may stay as it is.
  var tickInterval: Duration? { display.interval }

  init(
    _ printer: ResultPrinter, total: Int, display: ProgressDisplay, files: BatchFiles,
    waits: Bool = false
  ) {
    self.printer = printer
    self.display = display
    self.files = files
    self.waits = waits
    progress = BatchProgress(total: total)
  }

  /// Work on a photo begins.
  func started(_ photo: FilePath) {
    progress.current = photo
    display.show(progress)
  }

  /// A photo is done or has failed; it is printed when those before it are.
  func finished(_ index: Int, _ report: PhotoReport) {
    progress.add(report)
    if waits {
      waiting[index] = report
      display.show(progress)
    } else {
      print(ordered.add(report, at: index))
    }
  }

  /// Prints what was waited with, once it is known what became of it.
  ///
  /// - Parameter decide: Called for each report, in order.
  func decide(_ decide: (Int, PhotoReport) -> PhotoReport) {
    let all = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (index, report) in all {
      let decided = decide(index, report)
      if report.status != decided.status, decided.status == "failed" { progress.add(decided) }
      if case .success(let result) = decided.outcome, result.isChange { changes += 1 }
      print([(index, decided)])
    }
  }

  /// Shows the progress when it is time to.
  func tick() { display.show(progress) }

  /// Prints what is left; no more comes.
  func end() {
    print(ordered.drain())
    display.clear()
  }

  private func print(_ reports: [OrderedReports.Element]) {
    guard !reports.isEmpty else { return }
    display.clear()
    for (index, report) in reports {
      printer.print(report)
      files.add(report, at: index)
    }
    display.show(progress)
  }
}
