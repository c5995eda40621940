import Glibc
import SafelightArguments

/// Where a command writes: results to one place, messages to another.
///
/// A value, so that a test can read what a command writes.
public struct Console: Sendable {
  /// Takes one line of results.
  public let result: @Sendable (String) -> Void
  /// Takes one line for people.
  public let message: @Sendable (String) -> Void
  /// How words look in results.
  public let resultStyle: Style
  /// How words look in messages.
  public let messageStyle: Style
  /// How wide the terminal is that results go to; `nil` when they go elsewhere.
  public let columns: @Sendable () -> Int?

  /// A console that hands its lines to closures.
  public init(
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

  /// Standard output and standard error.
  public static let standard = Console(
    result: { line in writeWhole(line + "\n", to: STDOUT_FILENO) },
    message: { line in writeWhole(line + "\n", to: STDERR_FILENO) },
    resultStyle: .standardOutput, messageStyle: .standardError,
    columns: { terminalColumns(of: STDOUT_FILENO) })
}

/// How words that matter look: colored on a terminal, plain elsewhere.
///
/// A value, so that what is printed can be tested with either.
public struct Style: Sendable, Hashable {
  /// Whether anything is colored.
  public let emphasis: Emphasis

  /// Colors nothing.
  public static let plain = Style(.plain)

  /// What suits standard output.
  public static var standardOutput: Style { Style(Emphasis(suiting: STDOUT_FILENO)) }

  /// What suits standard error.
  public static var standardError: Style { Style(Emphasis(suiting: STDERR_FILENO)) }

  /// A style that does or does not color.
  public init(_ emphasis: Emphasis) { self.emphasis = emphasis }

  /// Something that failed: red.
  public func failure(_ text: String) -> String { colored(31, text) }

  /// Something that was skipped, or is only a warning: yellow.
  public func warning(_ text: String) -> String { colored(33, text) }

  /// Something that was done: green.
  public func success(_ text: String) -> String { colored(32, text) }

  /// A heading: bold.
  public func heading(_ text: String) -> String { emphasis.bold(text) }

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

/// How wide the terminal is that an open file is; `nil` when it is none.
func terminalColumns(of descriptor: Int32) -> Int? {
  guard isatty(descriptor) == 1 else { return nil }
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

/// Writes a text to an open file, all of it if that is possible.
///
/// - Returns: `false` when it was not, for instance because a reader went away, as in
///   `edit filters | head -1`.
@discardableResult
func writeWhole(_ text: String, to descriptor: Int32) -> Bool {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written < 0, errno == EINTR { continue }
    guard written > 0 else { return false }
    bytes = bytes.dropFirst(written)
  }
  return true
}
