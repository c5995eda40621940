/// A command that does its work asynchronously.
///
/// The root must be one too for asynchronous subcommands to run.
public protocol AsyncParsableCommand: ParsableCommand {
  /// Does what the command is for; unless implemented, it shows the command's help.
  ///
  /// - Throws: Any error; ``ExitCode`` ends with that code and no message.
  mutating func run() async throws
}

extension AsyncParsableCommand {
  /// Shows the command's help.
  public mutating func run() async throws { throw CleanExit.helpRequest(self) }

  /// Reads a command line, runs the command it names, and ends the process if either fails.
  ///
  /// - Parameter arguments: The words after the program's name; `nil` takes this process's own.
  public static func main(_ arguments: [String]?) async {
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

  /// Reads this process's command line and runs the command it names.
  public static func main() async { await main(nil) }
}
