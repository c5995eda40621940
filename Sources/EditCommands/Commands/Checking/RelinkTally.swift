import PhotoEditing
import SafelightArguments
import Synchronization

/// Prints what became of edits that lost their photos, and counts them.
final class RelinkTally: Sendable {
  private struct Counts {
    var relinked = 0
    var failed = 0
    var start = ContinuousClock.now
  }

  private let console: Console
  private let options: PhotoOptions
  private let dryRun: DryRunOption
  private let counts = Mutex(Counts())

  init(console: Console, options: PhotoOptions, dryRun: DryRunOption) {
    self.console = console
    self.options = options
    self.dryRun = dryRun
  }

  var hasFailures: Bool { counts.withLock { $0.failed > 0 } }

  /// What was done, for the end.
  var summary: String {
    let counts = counts.withLock { $0 }
    if counts.relinked + counts.failed == 0 { return "Every sidecar has its photo." }
    let relinked = "\(counts.relinked) \(dryRun.isOn ? "would be relinked" : "relinked")"
    return counts.failed == 0 ? "\(relinked)." : "\(relinked), \(counts.failed) not."
  }

  func add(_ result: Result<Relinking, RelinkError>, of former: FilePath) {
    let start = counts.withLock { counts in
      defer { counts.start = .now }
      switch result {
      case .success(let relinking): counts.relinked += relinking.status == .relinked ? 1 : 0
      case .failure: counts.failed += 1
      }
      return counts.start
    }
    let printer = ResultPrinter(console: console, json: options.json, quiet: options.quiet)
    let outcome = result.map { PhotoResult($0, dryRun: dryRun) }
      .mapError { PhotoFailure(code: $0.code, message: $0.description, hint: $0.hint) }
    printer.print(PhotoReport(photo: former, outcome: outcome, since: start))
  }
}

extension PhotoResult {
  fileprivate init(_ relinking: Relinking, dryRun: DryRunOption) {
    guard let photo = relinking.photo else {
      self.init(
        status: relinking.status.rawValue, text: "unchanged, there is no edit to move",
        details: dryRun.details)
      return
    }
    let verb = dryRun.isOn ? "would be relinked" : "relinked"
    self.init(
      status: relinking.status.rawValue, text: "\(verb) to \(photo)",
      rendered: relinking.rendered?.shown(beside: photo), record: relinking.record,
      warnings: relinking.warnings,
      details: [JSONValue.Member("movedTo", .string(photo.string))] + dryRun.details)
  }
}
