import Foundation
import PhotoEditing
import SafelightArguments
import Synchronization

@testable import SafelightEditCommands

/// What a command line said and ended with. Times are left out, and the folder is `@`.
struct Transcript: Equatable {
  var results: [String] = []
  var messages: [String] = []
  var code: Int32 = 0
}

/// The lines at the end of a batch that say what became of its photos; `BatchSummaryTests` compares
/// them.
enum Summary {
  /// Messages without those of the summary.
  static func removed(from messages: [String]) -> [String] {
    messages.filter { !isStart($0) && !$0.hasPrefix("  ") }
  }

  /// The lines of the summary alone.
  static func lines(of messages: [String]) -> [String] {
    messages.firstIndex(where: isStart).map { start in
      [messages[start]] + messages[(start + 1)...].prefix { $0.hasPrefix("  ") }
    } ?? []
  }

  private static func isStart(_ message: String) -> Bool {
    message.firstMatch(of: #/^edit: \d+ photos( in a dry run)?: \d+ /#) != nil
  }
}

extension String {
  /// The words of a command line, in which a word in single quotes may have spaces.
  var words: [String] { matches(of: /'([^']*)'|\S+/).map { String($0.output.1 ?? $0.output.0) } }
}

extension CommandFolder {
  /// Runs a command line in this process, up to the exit code.
  func edit(_ words: String...) async -> Transcript { await edit(words) }

  /// - Parameter keepingSummary: Whether the summary of a batch is among the messages.
  func edit(_ words: [String], keepingSummary: Bool = false) async -> Transcript {
    let lines = Lines()
    let code: ExitCode
    do {
      code = try await CommandSurroundings.$userFilters.withValue(userFilters) {
        try await run(words.map(expanded), on: lines.console)
      }
    } catch {
      code = EditCommand.exitCode(for: error)
      let text = EditCommand.fullMessage(for: error)
      if !text.isEmpty { lines.add(text, isResult: code.isSuccess) }
    }
    let said = lines.all
    let messages = said.filter { !$0.isResult && !$0.text.contains(decoderWarning) }
      .map { steady($0.text) }
    // Only after a summary are further lines its own.
    let hasSummary = keepingSummary || Summary.lines(of: messages).isEmpty
    return Transcript(
      results: said.filter(\.isResult).map { steady($0.text) },
      messages: hasSummary ? messages : Summary.removed(from: messages), code: code.rawValue)
  }

  private func run(_ words: [String], on console: Console) async throws -> ExitCode {
    var code = ExitCode.success
    try await EditCommand.run(words) { command in
      if let command = command as? any ConsoleCommand {
        code = try await command.run(on: console)
      } else {
        try await command.run()
      }
    }
    return code
  }

  /// The text without what differs from run to run.
  private func steady(_ text: String) -> String {
    text.replacing(path, with: "@")
      .replacing(/,"milliseconds":\d+/, with: "")
      .replacing(/"date":"[^"]+"/, with: "\"date\":\"NOW\"")
      .replacing(/made {6}[-0-9]+ [:0-9]+ UTC/, with: "made      NOW")
      .replacing(/(\d {2})[-0-9]{10} [:0-9]{8} UTC/) { "\($0.output.1)NOW" }
      .replacing(/"The decoder warned[^"]*",?/, with: "")
      .replacing(",\"warnings\":[]", with: "")
  }
}

/// Decoders warn the whole process, and other tests decode at the same time.
private let decoderWarning = "The decoder warned"

/// Gathers lines from whatever thread says them.
private final class Lines: Sendable {
  struct Line: Sendable {
    let text: String
    let isResult: Bool
  }

  private let lines = Mutex<[Line]>([])
  var all: [Line] { lines.withLock { $0 } }

  func add(_ text: String, isResult: Bool) {
    lines.withLock { $0.append(Line(text: text, isResult: isResult)) }
  }

  var console: Console {
    Console(
      result: { [self] in add($0, isResult: true) }, message: { [self] in add($0, isResult: false) }
    )
  }
}
