import Glibc
import SafelightArguments
import SafelightFiles

/// A terminal to ask questions on.
struct QuestionTerminal: Sendable {
  /// Asks, and waits for a line; `nil` when none comes, or the surrounding task is cancelled.
  let ask: @Sendable (String) async -> String?

  /// Standard error, and the keyboard of its user: standard input, or the terminal of the process
  /// where standard input is a list of photos. `nil` when standard error is no terminal, or the process
  /// works in the background.
  static var standard: QuestionTerminal? {
    guard isTerminal(STDERR_FILENO) else { return nil }
    var terminal: OpenFile?
    if !isTerminal(STDIN_FILENO) {
      terminal = try? FileSystem.real.openForInput("/dev/tty")
      guard let terminal, tcgetpgrp(terminal.descriptor) == getpgrp() else { return nil }
    }
    return QuestionTerminal { [terminal] question in
      writeWhole(question + " ", to: STDERR_FILENO)
      // Ctrl-C cancels the task; a read that waits would not notice.
      let line = await WakeUp.ringingOnCancel { wakeUp in
        LineReader(terminal?.descriptor ?? STDIN_FILENO, until: wakeUp).next()
      }
      if line == nil { writeWhole("\n", to: STDERR_FILENO) }
      return line.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Asks on the terminal that there is whether to go on.
  ///
  /// - Parameter instead: How to answer without a terminal.
  /// - Throws: ``EditCommandError/cannotAsk(_:instead:)``, or ``EditCommandError/cancelled`` when the user presses
  ///   Ctrl-C.
  static func confirm(
    _ question: String, instead: String
  ) async throws(EditCommandError) -> Bool {
    guard let terminal = CommandSurroundings.questionTerminal else {
      throw .cannotAsk(question, instead: instead)
    }
    do throws(CancellationError) {
      return try await terminal.confirm(question)
    } catch {
      throw .cancelled
    }
  }

  /// Asks whether to go on; anything but yes is no.
  ///
  /// - Throws: `CancellationError` when the user presses Ctrl-C.
  func confirm(_ question: String) async throws(CancellationError) -> Bool {
    let answer = await ask(question + " [y/N]")
    if answer == nil, Task.isCancelled { throw CancellationError() }
    return ["y", "yes"].contains((answer ?? "").lowercased())
  }
}
