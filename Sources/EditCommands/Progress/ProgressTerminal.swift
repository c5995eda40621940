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
      guard isatty(STDERR_FILENO) == 1 else { return nil }
      if let term = getenv("TERM"), String(cString: term) == "dumb" { return nil }
      var size = winsize()
      guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
      return Int(size.ws_col)
    },
    write: { text in writeWhole(text, to: STDERR_FILENO) })
}
