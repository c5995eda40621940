import Glibc
import SafelightArguments

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
