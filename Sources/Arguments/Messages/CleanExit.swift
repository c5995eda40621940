/// A reason to end the process that is no failure.
public enum CleanExit: Error, CustomStringConvertible {
  /// Somebody asked for the help of a command; `nil` is the one being parsed or run.
  case helpRequest((any ParsableCommand.Type)? = nil)
  /// There is something to say on standard output, such as the version.
  case message(String)

  /// A request for the help of a command that is running.
  public static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
    .helpRequest(type(of: command))
  }

  /// The message, or a word for the request.
  public var description: String {
    switch self {
    case .helpRequest: "--help"
    case .message(let message): message
    }
  }
}
