import Glibc
import SafelightArguments

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

/// The progress of some work, as text.
protocol ShownProgress {
  /// As one line of text.
  func line(after elapsed: Duration) -> String
  /// As a line of at most so many columns of a terminal.
  func bar(columns: Int, after elapsed: Duration) -> String
}

/// Shows progress between the lines that a command prints: a bar that is drawn over and
/// over on a terminal, a line every few seconds elsewhere. Used by one task at a time.
final class ProgressDisplay {
  private let terminal: ProgressTerminal?
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant
  private var isBarDrawn = false

  private static let redrawing = Duration.milliseconds(100)
  private static let speaking = Duration.seconds(5)

  /// - Parameter terminal: Where to show it; `nil` is nowhere.
  init(on terminal: ProgressTerminal?) {
    self.terminal = terminal
    lastShown = start
  }

  /// How long to wait before ``show(_:)`` has something to do.
  var interval: Duration? {
    guard let terminal else { return nil }
    return terminal.columns() == nil ? Self.speaking : Self.redrawing
  }

  /// Shows the progress, unless that was done a moment ago.
  func show(_ progress: some ShownProgress) {
    guard let terminal else { return }
    let now = ContinuousClock.now
    guard let columns = terminal.columns() else {
      guard now - lastShown >= Self.speaking else { return }
      lastShown = now
      terminal.write("edit: \(progress.line(after: now - start))\n")
      return
    }
    guard !isBarDrawn || now - lastShown >= Self.redrawing else { return }
    lastShown = now
    isBarDrawn = true
    // The last column stays free: some terminals go on to the next line when it is filled.
    terminal.write("\r" + progress.bar(columns: columns - 1, after: now - start) + Self.erasing)
  }

  /// Takes the bar away, so that a line can be printed in its place.
  func clear() {
    guard isBarDrawn else { return }
    isBarDrawn = false
    terminal?.write("\r" + Self.erasing)
  }

  /// Erases from the cursor to the end of the line (ECMA-48, EL).
  private static let erasing = "\u{1B}[K"
}
