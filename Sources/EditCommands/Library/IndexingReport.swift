import PhotoLibraryKit
import SafelightArguments
import SafelightFiles
import Synchronization

/// What a scan of folders found, for people and for programs.
struct IndexingReport {
  let result: IndexingResult

  /// The numbers: `12 new, 1 changed, 0 moved, 0 missing, 2 skipped`.
  var text: String {
    "\(result.added) new, \(result.updated) changed, \(result.moved) moved, "
      + "\(result.removed) missing, \(result.unreadable.count) skipped"
  }

  func json(status: String) -> JSONValue {
    .object([
      "status": status, "new": result.added, "changed": result.updated, "moved": result.moved,
      "missing": result.removed, "excluded": result.leftOut == 0 ? nil : result.leftOut,
      "exports": result.exports == 0 ? nil : result.exports,
      "skipped": result.unreadable.count,
      "unreadable": result.unreadable.isEmpty ? nil : result.unreadable,
      "unavailable": result.unavailable.isEmpty ? nil : result.unavailable,
    ])
  }

  /// Shows how far the work is while it goes on, where progress is shown.
  fileprivate static func showingProgress(
    unless isQuiet: Bool, _ work: (IndexingProgress?) async throws -> IndexingResult
  ) async rethrows -> IndexingResult {
    guard !isQuiet, let terminal = CommandSurroundings.progressTerminal else {
      return try await work(nil)
    }
    let display = Mutex(ProgressDisplay(on: terminal))
    defer { display.withLock { $0.clear() } }
    return try await work { result in
      display.withLock { $0.show(IndexingReport(result: result)) }
    }
  }
}

extension IndexingReport: ShownProgress {
  func line(after elapsed: Duration) -> String { text + " so far" }

  func bar(columns: Int, after elapsed: Duration) -> String {
    let short = "\(result.added) new"
    return [line(after: elapsed), text, short].first { $0.columns <= columns }
      ?? String(short.prefix(max(0, columns)))
  }
}

extension CatalogCommand {
  /// Scans folders, and says what the library was told to leave out of its folders and what was found.
  ///
  /// - Returns: The code to end with: a folder that could not be scanned is a failure.
  func reportIndexing(
    of library: PhotoLibrary, as status: String, on console: Console,
    _ work: (IndexingProgress?) async throws -> IndexingResult
  ) async throws -> ExitCode {
    let result = try await IndexingReport.showingProgress(unless: options.quiet, work)
    for (folder, patterns) in try await library.exclusions.sorted(by: { $0.key < $1.key }) {
      note("Left out of \(folder): \(patterns.joined(separator: ", ")).", on: console)
    }
    let report = IndexingReport(result: result)
    print(report.json(status: status), [report.text], on: console)
    if result.leftOut > 0 {
      let count = counted(result.leftOut, "photo of the missing is", "photos of the missing are")
      note(
        "\(count) left out by rules; albums and marks come back when the rules go.", on: console)
    }
    if result.exports > 0 {
      note("\(countedExports(result.exports)) left out; name them to add them.", on: console)
    }
    for path in result.unreadable {
      note("\(path) was skipped: it looks like a photo and cannot be read.", on: console)
    }
    for path in result.unavailable {
      console.message(
        "edit: \(path) cannot be scanned; its photos stay in the library.".onOneLine)
    }
    return result.unavailable.isEmpty ? .success : .failure
  }
}
