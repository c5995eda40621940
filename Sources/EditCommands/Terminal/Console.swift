import Foundation

/// Where a command writes: results to one place, messages to another.
///
/// A value, so that a test can look at what a command says.
public struct Console: Sendable {
  /// Takes one line of results.
  public let result: @Sendable (String) -> Void
  /// Takes one line for people.
  public let message: @Sendable (String) -> Void

  /// A console that hands its lines to closures.
  public init(
    result: @escaping @Sendable (String) -> Void, message: @escaping @Sendable (String) -> Void
  ) {
    self.result = result
    self.message = message
  }

  /// Standard output and standard error.
  public static let standard = Console(
    result: { line in write(line, to: .standardOutput) },
    message: { line in write(line, to: .standardError) })

  private static func write(_ line: String, to file: FileHandle) {
    // A reader that went away, as in `edit filters | head -1`, is no error of ours.
    try? file.write(contentsOf: Data((line + "\n").utf8))
  }
}
