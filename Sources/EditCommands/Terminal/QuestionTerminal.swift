import Glibc

/// Somebody at a terminal who can be asked.
struct QuestionTerminal: Sendable {
  /// Asks, and waits for a line; `nil` when none comes, or the surrounding task is cancelled.
  let ask: @Sendable (String) async -> String?

  /// Standard input and standard error; `nil` when one of them is no terminal.
  static var standard: QuestionTerminal? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    return QuestionTerminal { question in
      writeWhole(question + " ", to: STDERR_FILENO)
      // Ctrl-C cancels the task; a read that waits would not notice.
      let line = await WakeUp.ringingOnCancel { wakeUp in
        LineReader(STDIN_FILENO, until: wakeUp).next()
      }
      if line == nil { writeWhole("\n", to: STDERR_FILENO) }
      return line.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Asks whether to go on; anything but yes is no.
  func confirm(_ question: String) async -> Bool {
    let answer = await ask(question + " [y/N]") ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }
}
