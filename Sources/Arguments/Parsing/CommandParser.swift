/// Walks from the root to the command that the words name, and gives each its values.
struct CommandParser {
  /// The command that the words name so far.
  private(set) var command: CommandDescription

  init(root: any ParsableCommand.Type) { command = CommandDescription([root]) }

  /// Reads the words of the root command and returns the subcommand they name.
  mutating func parse(_ words: [String]) throws(CommandError) -> any ParsableCommand {
    do { return try descend(into: words[...]) } catch {
      throw error as? CommandError ?? CommandError(error, in: command)
    }
  }

  private mutating func descend(into words: ArraySlice<String>) throws -> any ParsableCommand {
    var scanner = CommandLineScanner(command.arguments, words: words)
    if command.subcommands.isEmpty { return try fill(with: &scanner) }
    let stop: CommandLineScanner.Stop
    do { stop = try scanner.scan(stopAtArgument: true) } catch {
      // An option that this command does not know may belong to its default subcommand.
      guard case .unknownOption = error, let subcommand = command.defaultCommand else {
        try answerHelp(in: scanner.rest)
        if case .unknownOption(let name, nil) = error,
          let word = scanner.rest.first(where: { command.subcommand(named: $0) != nil })
        {
          throw UsageError.misplacedOption(name, subcommand: word)
        }
        throw error
      }
      return try enter(subcommand, scanner)
    }
    switch stop {
    case .help: throw CleanExit.helpRequest
    case .version: throw CleanExit.message(command.version?() ?? "")
    case .end:
      guard let subcommand = command.defaultCommand else { return try fill(with: &scanner) }
      return try enter(subcommand, scanner)
    case .argument(let word):
      if let subcommand = command.subcommand(named: word) {
        return try enter(subcommand, scanner, dropping: 1)
      }
      if word == "help", command.types.count == 1 { try showHelp(of: scanner.rest.dropFirst()) }
      if let subcommand = command.defaultCommand {
        let parent = command
        do { return try enter(subcommand, scanner) } catch let error as UsageError {
          // An error of the default subcommand would not say that another subcommand was meant.
          if case let meant = parent.unknownSubcommand(word), meant.hint != nil {
            command = parent
            throw meant
          }
          throw error
        }
      }
      if scanner.arguments.contains(where: { $0.kind == .positional }) {
        return try fill(with: &scanner)
      }
      throw command.unknownSubcommand(word)
    }
  }

  /// Goes on with a subcommand, once the parent's own options turn out to be complete.
  private mutating func enter(
    _ subcommand: CommandDescription, _ scanner: CommandLineScanner, dropping count: Int = 0
  ) throws -> any ParsableCommand {
    let rest = scanner.rest.dropFirst(count)
    do { _ = try command.type.init(words: scanner.finished()) } catch {
      try answerHelp(in: rest)
      throw error
    }
    command = subcommand
    return try descend(into: rest)
  }

  private func fill(with scanner: inout CommandLineScanner) throws -> any ParsableCommand {
    do {
      switch try scanner.scan(stopAtArgument: false) {
      case .help: throw CleanExit.helpRequest
      case .version: throw CleanExit.message(command.version?() ?? "")
      case .end, .argument: return try command.type.init(words: scanner.finished())
      }
    } catch let error as UsageError {
      try answerHelp(in: scanner.rest)
      throw error
    }
  }

  /// Prefers help to an error: somebody who asks for help after a mistake wants the help.
  private func answerHelp(in words: ArraySlice<String>) throws {
    let help = command.arguments.first { $0.key == ArgumentDescription.helpKey }
    let names = help?.names ?? []
    if words.prefix(while: { $0 != "--" }).contains(where: names.contains) {
      throw CleanExit.helpRequest
    }
  }

  /// Answers `help apply`: help for the command that the words name.
  private mutating func showHelp(of words: ArraySlice<String>) throws -> Never {
    for word in words where !word.hasPrefix("-") {
      guard let subcommand = command.subcommand(named: word) else {
        throw command.unknownSubcommand(word)
      }
      command = subcommand
    }
    throw CleanExit.helpRequest
  }
}

extension CommandDescription {
  fileprivate func unknownSubcommand(_ word: String) -> UsageError {
    let names = subcommands.filter { !$0.isHidden }.map(\.name)
    return .unknownSubcommand(word, nearest: nearest(to: word, among: names))
  }
}
