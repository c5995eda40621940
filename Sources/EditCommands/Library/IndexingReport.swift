import PhotoLibraryKit
import SafelightArguments
import Synchronization

/// What looking through folders found, for people and for programs.
struct IndexingReport {
  let result: IndexingResult

  /// The numbers: `12 new, 1 changed, 0 moved, 0 missing, 2 skipped`.
  var text: String {
    "\(result.added) new, \(result.updated) changed, \(result.moved) moved, "
      + "\(result.removed) missing, \(result.unreadable.count) skipped"
  }

  func json(status: String) -> JSONValue {
    func number(_ key: String, _ count: Int) -> JSONValue.Member {
      .init(key, .number(Double(count)))
    }
    func paths(_ key: String, _ paths: [FilePath]) -> [JSONValue.Member] {
      paths.isEmpty ? [] : [.init(key, .array(paths.map { .string($0.string) }))]
    }
    return .object(
      [
        .init("status", .string(status)), number("new", result.added),
        number("changed", result.updated), number("moved", result.moved),
        number("missing", result.removed), number("skipped", result.unreadable.count),
      ] + paths("unreadable", result.unreadable) + paths("unavailable", result.unavailable))
  }

  /// Shows how far the work is while it goes on, where progress is shown.
  static func showingProgress<Result>(
    unless isQuiet: Bool, _ work: (IndexingProgress?) async throws -> Result
  ) async rethrows -> Result {
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
  /// Says what looking through folders found.
  ///
  /// - Returns: The code to end with: a folder that could not be looked through is a failure.
  func report(_ result: IndexingResult, as status: String, on console: Console) -> ExitCode {
    let report = IndexingReport(result: result)
    print(report.json(status: status), [report.text], on: console)
    for path in result.unreadable {
      note("\(path) was skipped: it looks like a photo and cannot be read.", on: console)
    }
    for path in result.unavailable {
      console.message(
        "edit: \(path) cannot be looked through; its photos stay in the library.".onOneLine)
    }
    return result.unavailable.isEmpty ? .success : .failure
  }
}
