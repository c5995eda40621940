import Glibc
import SafelightArguments

/// Where a command writes: results to one place, messages to another.
///
/// A value, so that a test can read what a command writes.
package struct Console: Sendable {
  /// Takes one line of results.
  package let result: @Sendable (String) -> Void
  /// Takes one line for people.
  package let message: @Sendable (String) -> Void
  /// How words look in results.
  package let resultStyle: Style
  /// How words look in messages.
  package let messageStyle: Style
  /// How wide the terminal is that results go to; `nil` when they go elsewhere.
  package let columns: @Sendable () -> Int?

  /// A console that hands its lines to closures.
  package init(
    result: @escaping @Sendable (String) -> Void, message: @escaping @Sendable (String) -> Void,
    resultStyle: Style = .plain, messageStyle: Style = .plain,
    columns: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.result = result
    self.message = message
    self.resultStyle = resultStyle
    self.messageStyle = messageStyle
    self.columns = columns
  }

  /// The same console for a command whose results nobody reads.
  var withoutResults: Console {
    Console(result: { _ in }, message: message, messageStyle: messageStyle)
  }

  /// Standard output and standard error.
  package static let standard = Console(
    result: { line in writeWhole(line + "\n", to: STDOUT_FILENO) },
    message: { line in writeWhole(line + "\n", to: STDERR_FILENO) },
    resultStyle: .standardOutput, messageStyle: .standardError,
    columns: { terminalColumns(of: STDOUT_FILENO) })
}

/// How words that matter look: colored on a terminal, plain elsewhere.
///
/// A value, so that what is printed can be tested with either.
package struct Style: Sendable, Hashable {
  /// Whether anything is colored.
  package let emphasis: Emphasis

  /// Colors nothing.
  package static let plain = Style(.plain)

  /// What suits standard output.
  package static var standardOutput: Style { Style(Emphasis(suiting: STDOUT_FILENO)) }

  /// What suits standard error.
  package static var standardError: Style { Style(Emphasis(suiting: STDERR_FILENO)) }

  /// A style that does or does not color.
  package init(_ emphasis: Emphasis) { self.emphasis = emphasis }

  /// Something that failed: red.
  package func failure(_ text: String) -> String { colored(31, text) }

  /// Something that was skipped, or is only a warning: yellow.
  package func warning(_ text: String) -> String { colored(33, text) }

  /// Something that was done: green.
  package func success(_ text: String) -> String { colored(32, text) }

  /// A heading: bold.
  package func heading(_ text: String) -> String { emphasis.bold(text) }

  /// The text between the escape sequences of a color (ECMA-48, SGR 30 to 37).
  private func colored(_ color: Int, _ text: String) -> String {
    emphasis == .plain || text.isEmpty ? text : "\u{1B}[\(color)m\(text)\u{1B}[0m"
  }
}

/// A terminal to ask questions on.
struct QuestionTerminal: Sendable {
  /// Asks, and waits for a line; `nil` when none comes, or the surrounding task is cancelled.
  let ask: @Sendable (String) async -> String?

  /// Standard input and standard error; `nil` when one of them is no terminal.
  static var standard: QuestionTerminal? {
    guard isTerminal(STDIN_FILENO), isTerminal(STDERR_FILENO) else { return nil }
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

/// Where progress is shown: a terminal, or a file that takes a line now and then.
struct ProgressTerminal: Sendable {
  /// How wide the terminal is at the moment; `nil` when it is none.
  let columns: @Sendable () -> Int?
  /// Writes text as it is.
  let write: @Sendable (String) -> Void

  /// Standard error.
  static let standardError = ProgressTerminal(
    columns: {
      if let term = getenv("TERM"), String(cString: term) == "dumb" { return nil }
      return terminalColumns(of: STDERR_FILENO)
    },
    write: { text in writeWhole(text, to: STDERR_FILENO) })
}
