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

  /// How many photos were changed and have files that are not in their places.
  var unfinished: Int { summary.withLock(\.unfinished) }

  /// How many renders and sidecars were counted.
  var parts: Int { summary.withLock(\.parts) }
}

/// What became of the photos of a batch.
struct BatchSummary: Sendable {
  let isDryRun: Bool
  /// How many renders and sidecars were passed over.
  var parts = 0
  /// How many photos were changed and have files that are not in their places.
  private(set) var unfinished = 0
  private var counts: [String: Int] = [:]
  /// The first failures.
  private var failures: [(photo: FilePath, failure: PhotoFailure)] = []

  /// Most failures that are named.
  static let mostNamed = 20

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  mutating func add(_ report: PhotoReport) {
    counts[report.status, default: 0] += 1
    if case .success(let result) = report.outcome, result.isUnfinished { unfinished += 1 }
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
      let name = photo.description
      let reason = failure.message
      lines.append("  " + (reason.contains(name) ? reason : "\(name): \(reason)").onOneLine)
    }
    let failed = counts["failed"] ?? 0
    if failed > failures.count { lines.append("  and \(failed - failures.count) more") }
    return lines
  }
}

/// Where a batch reports the results of its photos: the console, in the order of the photos, the
/// progress, and the files that were asked for.
actor BatchLog {
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
  /// How many photos are not done.
  var remaining: Int { progress.total - progress.done }

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

  /// Makes the changes that wait, unless a photo failed or was not done, and prints the results that waited for them.
  func decide(by work: PhotoWork) async {
    let all = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    var isBlocked = failures > 0 || remaining > 0
    for (index, report) in all {
      let decided = isBlocked ? report.unchanged : await report.changed(by: work)
      if decided.status == "failed" { isBlocked = true }
      if report.status != decided.status, decided.status == "failed" { progress.add(decided) }
      if case .success(let result) = decided.outcome, result.isChange { changes += 1 }
      print([(index, decided)])
    }
  }

  /// Shows the progress whenever it is time to, until the surrounding task is cancelled.
  func tick() async {
    guard let interval = display.interval else { return }
    while (try? await Task.sleep(for: interval)) != nil { display.show(progress) }
  }

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

extension PhotoReport {
  /// The report on a photo whose change is not made, because another one failed.
  fileprivate var unchanged: PhotoReport {
    guard case .success(let result) = outcome, result.isChange else { return self }
    return PhotoReport(
      photo: photo,
      outcome: .success(.skipped(because: "It was not changed, since not all could be.")),
      milliseconds: milliseconds)
  }

  /// Makes the change that waits for the photo.
  fileprivate func changed(by work: PhotoWork) async -> PhotoReport {
    guard case .success(var result) = outcome, result.isChange else { return self }
    switch await work.makeHeldChange(of: photo) {
    case .success(let warnings):
      guard !warnings.isEmpty else { return self }
      result.warnings += warnings
      result.details.append(PhotoResult.unfinished)
      return PhotoReport(photo: photo, outcome: .success(result), milliseconds: milliseconds)
    case .failure(let failure): return .failed(photo, failure)
    }
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

/// The progress of a batch and its texts. A value without a clock or a terminal.
struct BatchProgress: ShownProgress, Sendable {
  /// How many photos there are.
  let total: Int
  /// How many of them are done or have failed.
  private(set) var done = 0
  /// How many have failed.
  private(set) var failed = 0
  /// The photo that work began on last.
  var current: FilePath?

  init(total: Int) { self.total = total }

  mutating func add(_ report: PhotoReport) {
    done += 1
    if case .failure = report.outcome { failed += 1 }
  }

  /// The progress as one line of text.
  func line(after elapsed: Duration) -> String {
    let parts = ["\(done) of \(total) photos"] + pace(elapsed) + failures
    return parts.joined(separator: ", ")
  }

  /// The progress as a bar of at most `columns` characters. In a narrow terminal the photo's name is
  /// left out first, then the pace; the numbers always stay.
  func bar(columns: Int, after elapsed: Duration) -> String {
    let count = "\(done)/\(total)"
    guard columns > count.count else { return String(count.prefix(max(0, columns))) }
    let pace = pace(elapsed)
    let tails = [pace + failures, Array(pace.dropFirst()) + failures, failures, []]
    let tail = tails.first { ([count] + $0).joined(separator: "  ").count + 14 <= columns } ?? []
    let text = ([count] + tail).joined(separator: "  ")
    guard columns >= text.count + 8 else {
      return columns >= text.count ? text : count
    }
    let name = current.map { ($0.lastComponent ?? $0).description.onOneLine } ?? ""
    let room = columns - text.count - 2
    let barWidth = min(30, max(5, room / 2))
    let line = "[\(meter(barWidth))] \(text)"
    let left = columns - line.count - 2
    guard left >= 8, !name.isEmpty else { return line }
    return line + "  " + name.shortened(toColumns: left)
  }

  private func meter(_ width: Int) -> String {
    let filled = total == 0 ? width : min(width, width * done / total)
    return String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
  }

  private var failures: [String] { failed == 0 ? [] : ["\(failed) failed"] }

  /// Photos a second and the time left; empty until the pace is known.
  private func pace(_ elapsed: Duration) -> [String] {
    let seconds = elapsed.milliseconds / 1000
    guard done > 0, seconds > 0.2 else { return [] }
    let rate = Double(done) / seconds
    let left = done < total ? [Self.time(Double(total - done) / rate) + " left"] : []
    return [Self.rate(rate)] + left
  }

  private static func rate(_ rate: Double) -> String {
    if rate >= 10 { return "\(Int(rate.rounded()))/s" }
    if rate >= 0.1 { return "\((rate * 10).rounded() / 10)/s" }
    return "\((rate * 600).rounded() / 10)/min"
  }

  /// `42 s`, `3:05` or `2:10:00`.
  static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60):\(two(whole % 60))" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
