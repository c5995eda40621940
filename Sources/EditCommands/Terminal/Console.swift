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
  package let resultStyle: Emphasis
  /// How words look in messages.
  package let messageStyle: Emphasis
  /// How wide the terminal is that results go to; `nil` when they go elsewhere.
  package let columns: @Sendable () -> Int?

  /// A console that hands its lines to closures.
  package init(
    result: @escaping @Sendable (String) -> Void, message: @escaping @Sendable (String) -> Void,
    resultStyle: Emphasis = .plain, messageStyle: Emphasis = .plain,
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
    resultStyle: Emphasis(suiting: STDOUT_FILENO), messageStyle: Emphasis(suiting: STDERR_FILENO),
    columns: { terminalColumns(of: STDOUT_FILENO) })
}
