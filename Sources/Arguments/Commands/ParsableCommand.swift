/// A command, or a subcommand, with arguments and something to do.
package protocol ParsableCommand: ParsableArguments {
  /// The command's name, texts and subcommands.
  static var configuration: CommandConfiguration { get }

  /// Runs the command. By default it shows the command's help.
  ///
  /// - Throws: Any error; ``ExitCode`` ends with that code and no message.
  mutating func run() throws
}

extension ParsableCommand {
  /// A configuration whose name comes from the type's: `ColorTable` is called `color-table`.
  package static var configuration: CommandConfiguration { CommandConfiguration() }

  package mutating func run() throws { throw CleanExit.helpRequest(self) }

  /// Reads a command line and returns the subcommand it names, ready to run.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  /// - Throws: ``CommandError``, also for a request for help or for the version.
  package static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand {
    var parser = CommandParser(root: self)
    return try parser.parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
  }

  /// Reads a command line, runs the command it names, and ends the process if either fails.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  package static func main(_ arguments: [String]?) {
    do {
      var command = try parseAsRoot(arguments)
      do { try command.run() } catch {
        throw CommandError(error, from: type(of: command), under: self)
      }
    } catch {
      exit(withError: error)
    }
  }

  package static func main() { main(nil) }

  /// The name by which the command is called.
  static var name: String {
    configuration.commandName ?? kebabCased(String(describing: Self.self))
  }
}

/// A command that does its work asynchronously.
///
/// The root must be one too for asynchronous subcommands to run.
package protocol AsyncParsableCommand: ParsableCommand {
  /// As ``ParsableCommand/run()``.
  mutating func run() async throws
}

extension AsyncParsableCommand {
  package mutating func run() async throws { throw CleanExit.helpRequest(self) }

  /// As ``ParsableCommand/main(_:)``.
  package static func main(_ arguments: [String]?) async {
    do {
      var command = try parseAsRoot(arguments)
      do {
        if var asynchronous = command as? any AsyncParsableCommand {
          try await asynchronous.run()
        } else {
          try command.run()
        }
      } catch {
        throw CommandError(error, from: type(of: command), under: self)
      }
    } catch {
      exit(withError: error)
    }
  }

  package static func main() async { await main(nil) }
}
