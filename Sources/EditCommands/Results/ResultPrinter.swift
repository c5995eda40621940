import PhotoEditing

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
      say(failure)
    }
  }

  /// Prints an error that keeps every photo from being worked on: said once, counted for each.
  func print(_ failure: PhotoFailure, forAll photos: [FilePath]) {
    for photo in photos { printResult(of: .failed(photo, failure)) }
    say(failure)
  }

  private func say(_ failure: PhotoFailure) {
    console.message(console.messageStyle.failure("edit:") + " \(failure.text)".onOneLine)
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
      "edit: Stopped at the first failure; \(Self.notDone(remaining)). Without --fail-fast they are."
    )
  }

  /// Says that an atomic batch changed nothing, or that it failed at its very end.
  func notAll(changed: Int) {
    console.message(
      changed == 0
        ? "edit: No photo was changed, because not all could be. Without --atomic the others are."
        : "edit: \(changed) of the photos were changed before one failed at the end; "
          + "“edit undo” takes them back.")
  }

  /// Says that work stopped early; the photos in hand are as they were.
  func interrupted(remaining: Int) {
    console.message("edit: Interrupted; \(Self.notDone(remaining)). The same command goes on.")
  }

  private static func notDone(_ count: Int) -> String {
    count == 1 ? "1 photo was not done" : "\(count) photos were not done"
  }
}
