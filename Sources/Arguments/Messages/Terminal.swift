import Glibc
import Synchronization

/// Whether a text may carry the escape sequences of a terminal (ECMA-48, “Select Graphic
/// Rendition”).
package enum Emphasis: Sendable, Hashable {
  /// None: the text is plain.
  case plain
  /// Headings are bold, and words that matter have colors.
  case colored

  /// The emphasis for a stream: color for a terminal, unless its user refused colors.
  ///
  /// - Parameters:
  ///   - descriptor: The stream's file descriptor.
  ///   - environment: The value of a variable; `nil` takes this process's own. `TERM=dumb`, or
  ///     `NO_COLOR` with any value but an empty one (no-color.org), means plain.
  package init(
    suiting descriptor: Int32, environment: ((String) -> String?)? = nil
  ) {
    let variable = environment ?? { getenv($0).map { String(cString: $0) } }
    let isRefused = !(variable("NO_COLOR") ?? "").isEmpty || variable("TERM") == "dumb"
    self = isTerminal(descriptor) && !isRefused ? .colored : .plain
  }

  /// A heading: bold.
  package func bold(_ text: String) -> String { rendition(1, text) }

  /// Something that failed: red.
  package func failure(_ text: String) -> String { rendition(31, text) }

  /// Something that was skipped, or is only a warning: yellow.
  package func warning(_ text: String) -> String { rendition(33, text) }

  /// Something that was done: green.
  package func success(_ text: String) -> String { rendition(32, text) }

  private func rendition(_ number: Int, _ text: String) -> String {
    self == .plain || text.isEmpty ? text : "\u{1B}[\(number)m\(text)\u{1B}[0m"
  }
}

/// Ends the process with a last line, which success says on standard output, failure on error.
func endProcess(_ code: ExitCode, saying message: String = "") -> Never {
  // What was printed before must come out first.
  fflush(nil)
  if !message.isEmpty {
    writeWhole(message + "\n", to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
  }
  exit(code.rawValue)
}

package func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// How wide the terminal is that an open file is; `nil` when the file is no terminal.
package func terminalColumns(of descriptor: Int32) -> Int? {
  guard isTerminal(descriptor) else { return nil }
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

/// Remembers whether standard output could be written.
package enum StandardOutput {
  private static let reason = Atomic<Int32>(0)

  /// Why results are missing, an `errno` value; `nil` when all were written, or their reader went
  /// away, as in `edit filters | head -1`.
  package static var failure: Int32? {
    let reason = reason.load(ordering: .relaxed)
    return reason == 0 ? nil : reason
  }

  fileprivate static func failed(_ errno: Int32) {
    if errno != EPIPE { reason.store(errno, ordering: .relaxed) }
  }
}

/// Writes a text to a stream. Gives up when the stream takes no more; for standard output
/// ``StandardOutput/failure`` tells why.
package func writeWhole(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || errno != EINTR {
      if descriptor == STDOUT_FILENO { StandardOutput.failed(errno) }
      return
    }
  }
}

extension String {
  /// The text with every character spelled out that could break the line, speak to the terminal or
  /// change the direction of writing, as `\n` or `\u{1B}`. Names and metadata may hold such
  /// characters.
  ///
  /// A byte of an argument that is not UTF-8 travels as a private character, U+10FF00 plus the byte,
  /// and is shown as `\x9B`.
  package var onOneLine: String {
    // Asking Unicode about every character takes long where a million lines are printed.
    if utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.value >= 0x10FF80 {
        let byte = String(scalar.value - 0x10FF00, radix: 16, uppercase: true)
        line.append(contentsOf: "\\x\(byte)".unicodeScalars)
      } else if scalar.mustBeSpelled {
        line.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        line.append(scalar)
      }
    }
    return String(line)
  }
}

extension Unicode.Scalar {
  fileprivate var mustBeSpelled: Bool {
    switch properties.generalCategory {
    // C0, DEL and C1; U+2028; U+2029.
    case .control, .lineSeparator, .paragraphSeparator: true
    // Unicode's annex 9 has these controls of direction, and no others.
    case .format: properties.isBidiControl
    default: false
    }
  }
}
