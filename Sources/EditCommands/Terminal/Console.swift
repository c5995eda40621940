import Glibc

/// Where a command writes: results to one place, messages to another.
///
/// A value, so that a test can look at what a command says.
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
