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

extension CommandFolder {
  /// Runs a command line in this process, up to the exit code.
  func edit(_ words: String...) async -> Transcript { await edit(words) }

  func edit(_ words: [String]) async -> Transcript {
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
    return Transcript(
      results: said.filter(\.isResult).map { steady($0.text) },
      messages: said.filter { !$0.isResult && !$0.text.contains(decoderWarning) }
        .map { steady($0.text) },
      code: code.rawValue)
  }

  private func run(_ words: [String], on console: Console) async throws -> ExitCode {
    var command = try EditCommand.parseAsRoot(words)
    do {
      switch command {
      case let command as any ConsoleCommand: return try await command.run(on: console)
      case var root as any AsyncParsableCommand: try await root.run()
      default: try command.run()
      }
      return .success
    } catch {
      throw CommandError(error, from: type(of: command), under: EditCommand.self)
    }
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
