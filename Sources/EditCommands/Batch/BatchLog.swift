import PhotoEditing

/// Where a batch tells what becomes of its photos: the console, in the order of the photos, the
/// progress, and files that somebody asked for. Used by one thread at a time.
final class BatchLog {
  private let printer: ResultPrinter
  private let display: ProgressDisplay
  private let file: ReportFile?
  private var progress: BatchProgress
  private var ordered = OrderedReports()

  /// How many photos failed.
  var failures: Int { progress.failed }
  /// The first photo whose result was not printed yet.
  var next: Int { ordered.next }
  /// How many photos are not done.
  var remaining: Int { progress.total - progress.done }
  /// How long the progress may stay as it is.
  var tickInterval: Duration? { display.interval }

  init(_ printer: ResultPrinter, total: Int, display: ProgressDisplay, file: ReportFile?) {
    self.printer = printer
    self.display = display
    self.file = file
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
    print(ordered.add(report, at: index))
  }

  /// Shows the progress when it is time to.
  func tick() { display.show(progress) }

  /// Prints what is left; no more comes.
  func end() {
    print(ordered.drain())
    display.clear()
  }

  private func print(_ reports: [PhotoReport]) {
    guard !reports.isEmpty else { return }
    display.clear()
    for report in reports {
      printer.print(report)
      file?.add(report)
    }
    display.show(progress)
  }
}
