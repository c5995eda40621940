/// An error together with the command it happened in, so that its message can show the usage.
package struct CommandError: Error, CustomStringConvertible {
  /// What happened: ``UsageError``, ``ValidationError``, ``CleanExit``, or any error of a command.
  package let underlying: any Error
  /// The commands from the root to the one concerned; empty when that is unknown.
  let path: [any ParsableCommand.Type]

  /// Places an error that a command threw while it ran.
  ///
  /// - Parameters:
  ///   - error: What the command threw.
  ///   - command: The command that threw it.
  ///   - root: The command at the top, below which `command` is looked for.
  package init(
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
  package var description: String {
    guard let error = underlying as? UsageError, let hint = error.hint else {
      return String(describing: underlying)
    }
    return "\(error) \(hint)"
  }

  /// The code with which the process should end.
  package var exitCode: ExitCode {
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

/// A reason to end the process that is no failure.
package enum CleanExit: Error, CustomStringConvertible {
  /// Somebody asked for the help of a command; `nil` is the one being parsed or run.
  case helpRequest((any ParsableCommand.Type)? = nil)
  /// There is something to say on standard output, such as the version.
  case message(String)

  /// A request for the help of a command that is running.
  package static func helpRequest(_ command: any ParsableCommand) -> CleanExit {
    .helpRequest(type(of: command))
  }

  package var description: String {
    switch self {
    case .helpRequest: "--help"
    case .message(let message): message
    }
  }
}

/// The code with which a process ends; thrown, it ends the process without a message.
package struct ExitCode: Error, Hashable, RawRepresentable {
  /// The code as the shell sees it, 0 to 255.
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package init(_ code: Int32) { rawValue = code }

  package var isSuccess: Bool { self == .success }

  /// All went well: 0.
  package static let success = ExitCode(0)
  /// Something failed: 1.
  package static let failure = ExitCode(1)
  /// The command line was wrong: 64, `EX_USAGE` of BSD's sysexits.h.
  package static let validationFailure = ExitCode(64)
}

/// A refusal of values that cannot be used together; ends in exit code 64 with the usage line.
package struct ValidationError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, for people.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}
