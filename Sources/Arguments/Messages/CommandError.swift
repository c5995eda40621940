/// An error together with the command it happened in, so that its message can show the usage.
public struct CommandError: Error, CustomStringConvertible {
  /// What happened: ``UsageError``, ``ValidationError``, ``CleanExit``, or any error of a command.
  public let underlying: any Error
  /// The commands from the root to the one concerned; empty when that is unknown.
  let path: [any ParsableCommand.Type]

  /// Places an error that a command threw while it ran.
  ///
  /// - Parameters:
  ///   - error: What the command threw.
  ///   - command: The command that threw it.
  ///   - root: The command at the top, below which `command` is looked for.
  public init(
    _ error: any Error, from command: any ParsableCommand.Type,
    under root: any ParsableCommand.Type
  ) {
    self.init(error, path: Self.path(to: command, from: root) ?? [root])
  }

  init(_ error: any Error, path: [any ParsableCommand.Type]) {
    if case CleanExit.helpRequest(let command?) = error, let root = path.first {
      self.path = Self.path(to: command, from: root) ?? [command]
    } else {
      self.path = path
    }
    underlying = error
  }

  /// What happened, without the usage.
  public var description: String {
    guard let error = underlying as? UsageError, let hint = error.hint else {
      return String(describing: underlying)
    }
    return "\(error) \(hint)"
  }

  /// The code with which the process should end.
  public var exitCode: ExitCode {
    switch underlying {
    case let code as ExitCode: code
    case is CleanExit: .success
    case is UsageError, is ValidationError: .validationFailure
    default: .failure
    }
  }

  private static func path(
    to command: any ParsableCommand.Type, from root: any ParsableCommand.Type
  ) -> [any ParsableCommand.Type]? {
    if command == root { return [root] }
    for subcommand in root.configuration.subcommands {
      if let path = path(to: command, from: subcommand) { return [root] + path }
    }
    return nil
  }
}
