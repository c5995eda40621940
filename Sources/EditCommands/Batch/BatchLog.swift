import PhotoEditing

/// Where a batch reports the results of its photos: the console, in the order of the photos, the
/// progress, and the files that were asked for. Used by one thread at a time.
final class BatchLog {
  private let results: BatchResults
  private let display: ProgressDisplay
  private var progress: BatchProgress
  private var ordered = OrderedReports()
  /// Whether results are printed only when those of all photos are known.
  private let waits: Bool
  private var waiting: [Int: PhotoReport] = [:]
  /// How many of the photos whose results waited were changed.
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
    _ results: BatchResults, total: Int, display: ProgressDisplay, waits: Bool = false
  ) {
    self.results = results
    self.display = display
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

  /// Prints the results that waited, once they are decided.
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
    for (index, report) in reports { results.add(report, at: index) }
    display.show(progress)
  }
}

/// Hands reports out in the order of the photos, whatever order they come in.
struct OrderedReports: Sendable {
  /// A photo's report with the photo's number.
  typealias Element = (index: Int, report: PhotoReport)

  /// The first photo whose report has not been handed out.
  private(set) var next = 0
  private var waiting: [Int: PhotoReport] = [:]

  /// Takes the report of one photo.
  ///
  /// - Returns: The reports whose turn has come, in order.
  mutating func add(_ report: PhotoReport, at index: Int) -> [Element] {
    waiting[index] = report
    var ready: [Element] = []
    while let report = waiting.removeValue(forKey: next) {
      ready.append((next, report))
      next += 1
    }
    return ready
  }

  /// What is left when others will not come, in order.
  mutating func drain() -> [Element] {
    defer { waiting = [:] }
    return waiting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
