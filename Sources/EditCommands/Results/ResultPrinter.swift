import PhotoEditing

/// Prints the results of a command: text for people or a JSON object for each photo.
struct ResultPrinter: Sendable {
  let console: Console
  let json: Bool
  let quiet: Bool

  func print(_ result: PhotoResult, for photo: FilePath, since start: ContinuousClock.Instant) {
    if json {
      console.result(object(for: photo, result.status, since: start, members(of: result)))
    } else if !quiet {
      console.result("\(photo): \(result.text)".onOneLine)
      for row in result.rows { console.result("  " + row.onOneLine) }
    }
    guard !quiet else { return }
    for warning in result.warnings { console.message("edit: \(photo): \(warning)".onOneLine) }
  }

  func print(_ error: EditError, for photo: FilePath, since start: ContinuousClock.Instant) {
    printResult(error, for: photo, since: start)
    console.message("edit: \(error.message)".onOneLine)
  }

  /// Prints an error that keeps every photo from being worked on: said once, counted for each.
  func print(_ error: EditError, forAll photos: [FilePath]) {
    for photo in photos { printResult(error, for: photo, since: .now) }
    console.message("edit: \(error.message)".onOneLine)
  }

  private func printResult(
    _ error: EditError, for photo: FilePath, since start: ContinuousClock.Instant
  ) {
    if json {
      var members = [
        JSONValue.Member("code", .string(error.code)),
        JSONValue.Member("message", .string(error.description)),
      ]
      if let advice = error.advice { members.append(JSONValue.Member("hint", .string(advice))) }
      console.result(
        object(for: photo, "failed", since: start, [JSONValue.Member("error", .object(members))]))
    } else if !quiet {
      console.result("\(photo): failed".onOneLine)
    }
  }

  /// Says that work stopped early; the photo in hand is as it was.
  func interrupted(remaining: Int) {
    console.message(
      "edit: Interrupted; \(remaining) \(remaining == 1 ? "photo was" : "photos were") not done.")
  }

  private func members(of result: PhotoResult) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let rendered = result.rendered {
      members.append(JSONValue.Member("rendered", .string(rendered.string)))
    }
    if let record = result.record {
      members.append(JSONValue.Member("record", .string(record.string)))
    }
    members += result.details
    if !result.warnings.isEmpty {
      members.append(JSONValue.Member("warnings", .array(result.warnings.map { .string($0) })))
    }
    return members
  }

  private func object(
    for photo: FilePath, _ status: String, since start: ContinuousClock.Instant,
    _ members: [JSONValue.Member]
  ) -> String {
    let time = ContinuousClock.now - start
    let (seconds, attoseconds) = time.components
    let milliseconds = Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    return JSONValue.object(
      [
        JSONValue.Member("photo", .string(photo.string)),
        JSONValue.Member("status", .string(status)),
      ] + members + [JSONValue.Member("milliseconds", .number(milliseconds))]
    ).text
  }
}
