/// A refusal of values that cannot be used together; ends in exit code 64 with the usage line.
public struct ValidationError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, for people.
  public let message: String

  /// Creates an error with a message for people.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
