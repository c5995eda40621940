import PhotoEditing
import Synchronization

/// Prints checks as they come in, and counts them.
final class CheckTally: Sendable {
  private struct Counts {
    var checked = 0
    var failed = 0
    var fixed = 0
    var start = ContinuousClock.now
  }

  private let printer: ResultPrinter
  private let quiet: Bool
  private let counts = Mutex(Counts())

  init(printer: ResultPrinter, quiet: Bool) {
    self.printer = printer
    self.quiet = quiet
  }

  var isSound: Bool { counts.withLock { $0.failed == 0 } }

  /// What was checked, for the end.
  var summary: String {
    let counts = counts.withLock { $0 }
    let photos = counts.checked == 1 ? "1 file" : "\(counts.checked) files"
    if counts.checked == 0 { return "Nothing to check." }
    let fixed = counts.fixed == 0 ? "" : " \(counts.fixed) put right."
    return
      (counts.failed == 0
      ? "\(photos) checked, all as recorded."
      : "\(photos) checked, \(counts.failed) with problems.")
      + fixed
  }

  func add(_ check: PhotoCheck) {
    let start = count(isSound: check.isSound, fixed: check.fixed.count)
    if quiet && check.isSound { return }
    printer.print(
      PhotoReport(photo: check.path, outcome: .success(PhotoResult(check)), since: start))
  }

  func add(_ error: EditError, for path: FilePath) {
    let start = count(isSound: false, fixed: 0)
    printer.print(PhotoReport(photo: path, outcome: .failure(PhotoFailure(error)), since: start))
  }

  /// - Returns: When the work on what is being counted began.
  private func count(isSound: Bool, fixed: Int) -> ContinuousClock.Instant {
    counts.withLock { counts in
      defer { counts.start = .now }
      counts.checked += 1
      counts.failed += isSound ? 0 : 1
      counts.fixed += fixed
      return counts.start
    }
  }
}
