import PhotoEditing
import SafelightArguments
import Synchronization

/// Prints the results of photos: text for people or a JSON object for each.
struct ResultPrinter: Sendable {
  let console: Console
  let json: Bool
  let quiet: Bool

  func print(_ report: PhotoReport) {
    let photo = report.photo
    switch report.outcome {
    case .success(let result):
      if json {
        console.result(report.json.text)
      } else if !quiet {
        console.result("\(photo): ".onOneLine + colored(result))
        for row in result.rows { console.result("  " + row.onOneLine) }
      }
      // The line itself says why a file is skipped.
      guard !quiet, report.status != EditResult.Status.skipped.rawValue else { return }
      for warning in result.warnings {
        console.message(console.messageStyle.warning("edit:") + " \(photo): \(warning)".onOneLine)
      }
    case .failure(let failure):
      printResult(of: report)
      console.fail(failure)
    }
  }

  /// Prints an error that keeps every photo from being worked on: one message, and a result for each.
  func print(_ failure: PhotoFailure, forAll photos: [FilePath]) {
    for photo in photos { printResult(of: .failed(photo, failure)) }
    console.fail(failure)
  }

  /// The line for people: what was done is green, up to the files.
  private func colored(_ result: PhotoResult) -> String {
    let text = result.text.onOneLine
    let style = console.resultStyle
    switch EditResult.Status(rawValue: result.status) {
    case .skipped:
      let word = text.prefix { $0 != ":" }
      return style.warning(String(word)) + text.dropFirst(word.count)
    case .edited, .reverted, .rendered:
      let done = text.prefix { $0 != "," }
      return style.success(String(done)) + text.dropFirst(done.count)
    case .unchanged, .relinked, nil: return text
    }
  }

  private func printResult(of report: PhotoReport) {
    if json {
      console.result(report.json.text)
    } else if !quiet {
      console.result("\(report.photo): ".onOneLine + console.resultStyle.failure("failed"))
    }
  }

  /// Says something about the batch as a whole.
  func note(_ text: String) {
    if !quiet { console.message("edit: \(text)".onOneLine) }
  }

  /// Says that the work ended at a photo that failed.
  func stopped(remaining: Int) {
    console.message(
      "edit: Stopped at the first failure; \(Self.notDone(remaining)). Leave --fail-fast out to go on "
        + "after failures."
    )
  }

  /// Says that a batch with `--together` changed nothing, or that it failed at its very end.
  func notAll(changed: Int) {
    console.message(
      changed == 0
        ? "edit: No photo was changed, because not all could be. Without --together the others are."
        : "edit: \(counted(changed, "photo was", "photos were")) changed before one failed "
          + "at the end; “edit undo” takes that back.")
  }

  /// Says that photos were changed, but not all their files could be put in their places.
  func notInPlace(_ count: Int) {
    console.message(
      "edit: The edits count, but not all files of \(counted(count, "photo")) are in their places; "
        + "the next command on them, or “edit verify --fix”, finishes that.")
  }

  /// Says that work stopped early; the photos in hand are as they were.
  func interrupted(remaining: Int) {
    console.message("edit: Interrupted; \(Self.notDone(remaining)). The same command goes on.")
  }

  private static func notDone(_ count: Int) -> String {
    counted(count, "photo was", "photos were") + " not done"
  }
}

extension Console {
  /// Says why something failed.
  ///
  /// - Returns: The code to end with.
  @discardableResult
  func fail(_ failure: PhotoFailure) -> ExitCode {
    message(messageStyle.failure("edit:") + " \(failure.text)".onOneLine)
    return .failure
  }
}

/// Prints results as they come in, and counts them.
final class ResultTally: Sendable {
  struct Counts {
    /// Photos that were looked at.
    var photos = 0
    /// Photos that failed or have problems.
    var failed = 0
    /// What was put right or moved.
    var done = 0
    /// Sound photos about which there is something to know.
    var noted = 0
  }

  private let printer: ResultPrinter
  private let state = Mutex((counts: Counts(), start: ContinuousClock.now))

  init(_ printer: ResultPrinter) { self.printer = printer }

  var counts: Counts { state.withLock(\.counts) }

  /// Counts a photo and prints its result. The time since the result before is the time that it took.
  ///
  /// - Parameters:
  ///   - isSound: Whether nothing is wrong with the photo.
  ///   - done: How much was put right or moved.
  ///   - isNoted: Whether there is something to know about the photo.
  ///   - isShown: Whether the result is printed.
  func add(
    _ outcome: Result<PhotoResult, PhotoFailure>, of photo: FilePath, isSound: Bool, done: Int = 0,
    isNoted: Bool = false, isShown: Bool = true
  ) {
    let start = state.withLock { state in
      defer { state.start = .now }
      state.counts.photos += 1
      state.counts.failed += isSound ? 0 : 1
      state.counts.done += done
      state.counts.noted += isSound && isNoted ? 1 : 0
      return state.start
    }
    if isShown { printer.print(PhotoReport(photo: photo, outcome: outcome, since: start)) }
  }
}
