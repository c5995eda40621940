import Glibc
import PhotoEditing
import SafelightArguments
import SafelightFiles

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

  /// Asks whether to go on; anything but yes is no.
  ///
  /// - Throws: `CancellationError` when the user presses Ctrl-C.
  func confirm(_ question: String) async throws(CancellationError) -> Bool {
    let answer = await ask(question + " [y/N]")
    if answer == nil, Task.isCancelled { throw CancellationError() }
    return ["y", "yes"].contains((answer ?? "").lowercased())
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

/// A number with what it counts: `1 photo`, `3 photos`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)" + (count == 1 ? "" : "s")
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int {
    // Asking Unicode about every character takes long where a million lines are printed.
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return utf8.count }
    return unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The text with spaces behind it up to a width.
  func filled(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// The text with its middle left out where it takes more columns than these.
  func shortened(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    guard limit > 1 else { return limit == 1 ? "…" : "" }
    let head = prefix(ofColumns: (limit - 1) / 2)
    let tail = String(String(reversed()).prefix(ofColumns: limit - 1 - head.columns).reversed())
    return head + "…" + tail
  }

  private func prefix(ofColumns limit: Int) -> String {
    var left = limit
    return String(
      prefix { character in
        left -= String(character).columns
        return left >= 0
      })
  }
}

extension Unicode.Scalar {
  /// 0 for marks that join what stands before them, 2 for the wide scripts and pictures of Unicode's
  /// annex 11, 1 for the rest.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(value) } ? 2 : 1
  }
}

/// The progress of some work, as text.
protocol ShownProgress {
  /// As one line of text.
  func line(after elapsed: Duration) -> String
  /// As a line of at most so many columns of a terminal.
  func bar(columns: Int, after elapsed: Duration) -> String
}

/// Shows progress between the lines that a command prints: a bar that is drawn over and
/// over on a terminal, a line every few seconds elsewhere. Used by one thread.
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
