extension ParsableCommand {
  /// The command, its arguments and its subcommands as data, for help and documentation.
  package static var commandDescription: CommandDescription { CommandDescription(path: [self]) }

  /// The command's help.
  ///
  /// - Parameters:
  ///   - includeHidden: Whether to list hidden arguments and subcommands too.
  ///   - columns: Where lines are wrapped, in characters; `nil` is 80.
  package static func helpMessage(includeHidden: Bool = false, columns: Int? = nil) -> String {
    commandDescription.helpText(columns: columns ?? 80, includeHidden: includeHidden)
  }

  /// The help of a command below this one, with the full name of the command.
  ///
  /// - Parameters:
  ///   - subcommand: This command or one below it, at any depth.
  ///   - includeHidden: Whether to list hidden arguments and subcommands too.
  ///   - columns: Where lines are wrapped, in characters; `nil` is 80.
  package static func helpMessage(
    for subcommand: any ParsableCommand.Type, includeHidden: Bool = false, columns: Int? = nil
  ) -> String {
    let path = CommandError(CleanExit.helpRequest(), from: subcommand, under: self).path
    return CommandDescription(path: path)
      .helpText(columns: columns ?? 80, includeHidden: includeHidden)
  }

  /// What to tell somebody about an error, without the usage.
  package static func message(for error: any Error) -> String {
    located(error).description
  }

  /// All there is to print for an error, without a last line break; empty for an ``ExitCode``.
  ///
  /// - Parameters:
  ///   - columns: Where lines are wrapped, in characters; `nil` is 80.
  ///   - emphasis: Whether the headings of a help are bold.
  package static func fullMessage(
    for error: any Error, columns: Int? = nil, emphasis: Emphasis = .plain
  ) -> String {
    let error = located(error)
    switch error.underlying {
    case is ExitCode: return ""
    case CleanExit.message(let message): return message
    case CleanExit.helpRequest:
      return CommandDescription(path: error.path)
        .helpText(columns: columns ?? 80, emphasis: emphasis)
    case is UsageError, is ValidationError:
      let command = CommandDescription(path: error.path)
      return (["Error: \(error)"] + command.usageHint(columns: columns ?? 80))
        .joined(separator: "\n")
    default: return "Error: \(error)"
    }
  }

  /// The code with which the process should end after an error.
  package static func exitCode(for error: any Error) -> ExitCode { located(error).exitCode }

  /// Ends the process with the code and the message of an error.
  ///
  /// Help and clean messages go to standard output, all others to standard error.
  ///
  /// - Parameter error: What happened; `nil` is success.
  package static func exit(withError error: (any Error)? = nil) -> Never {
    guard let error else { endProcess(.success) }
    let code = exitCode(for: error)
    let emphasis = Emphasis(suiting: code.isSuccess ? 1 : 2)
    endProcess(code, saying: fullMessage(for: error, emphasis: emphasis))
  }

  private static func located(_ error: any Error) -> CommandError {
    error as? CommandError ?? CommandError(error, path: [self])
  }
}
