import Glibc

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
