/// Walks from the root to the command that the words name, and gives each its values.
struct CommandParser {
  private var path: [any ParsableCommand.Type]

  init(root: (any ParsableCommand.Type)?) { path = root.map { [$0] } ?? [] }

  /// Reads the words of the root command and returns the subcommand they name.
  mutating func parse(_ words: [String]) throws -> any ParsableCommand {
    do { return try descend(into: words[...]) } catch { throw located(error) }
  }

  /// Reads words for a type, without looking for subcommands.
  mutating func parse<Values: ParsableArguments>(
    _ type: Values.Type, from words: [String]
  ) throws -> Values {
    do {
      let definitions = path.isEmpty ? type.definitions() : Definition.all(for: path)
      var scanner = CommandLineScanner(definitions, words: words[...])
      return try fill(type, with: &scanner)
    } catch { throw located(error) }
  }

  private mutating func descend(into words: ArraySlice<String>) throws -> any ParsableCommand {
    let type = path[path.count - 1]
    let configuration = type.configuration
    var scanner = CommandLineScanner(Definition.all(for: path), words: words)
    guard !configuration.subcommands.isEmpty else { return try fill(type, with: &scanner) }

    let stop: CommandLineScanner.Stop
    do { stop = try scanner.scan(stopAtArgument: true) } catch {
      // An option that this command does not know may belong to its default subcommand.
      guard case .unknownOption = error, let subcommand = configuration.defaultSubcommand else {
        try answerHelp(in: scanner.rest)
        throw error
      }
      return try enter(subcommand, from: type, &scanner)
    }
    switch stop {
    case .help: throw CleanExit.helpRequest()
    case .version: throw CleanExit.message(Definition.version(of: path))
    case .end:
      guard let subcommand = configuration.defaultSubcommand else {
        return try fill(type, with: &scanner)
      }
      return try enter(subcommand, from: type, &scanner)
    case .argument(let word):
      if let subcommand = type.subcommand(named: word) {
        return try enter(subcommand, from: type, &scanner, dropping: 1)
      }
      if word == "help", path.count == 1 { try showHelp(of: scanner.rest.dropFirst()) }
      if let subcommand = configuration.defaultSubcommand {
        do { return try enter(subcommand, from: type, &scanner) } catch let error as UsageError {
          // An error of the default subcommand would not say that another subcommand was meant.
          if case let meant = type.unknownSubcommand(word), meant.hint != nil {
            path = Array(path.prefix { $0 != subcommand })
            throw meant
          }
          throw error
        }
      }
      if scanner.definitions.contains(where: { $0.description.kind == .positional }) {
        return try fill(type, with: &scanner)
      }
      throw type.unknownSubcommand(word)
    }
  }

  /// Goes on with a subcommand, once the parent's own options turn out to be complete.
  private mutating func enter(
    _ subcommand: any ParsableCommand.Type, from parent: any ParsableCommand.Type,
    _ scanner: inout CommandLineScanner, dropping count: Int = 0
  ) throws -> any ParsableCommand {
    let rest = scanner.rest.dropFirst(count)
    do { _ = try parent.init(words: scanner.finished()) } catch {
      try answerHelp(in: rest)
      throw error
    }
    path.append(subcommand)
    return try descend(into: rest)
  }

  private func fill<Values: ParsableArguments>(
    _ type: Values.Type, with scanner: inout CommandLineScanner
  ) throws -> Values {
    do {
      switch try scanner.scan(stopAtArgument: false) {
      case .help: throw CleanExit.helpRequest()
      case .version: throw CleanExit.message(Definition.version(of: path))
      case .end, .argument: return try type.init(words: scanner.finished())
      }
    } catch let error as UsageError {
      try answerHelp(in: scanner.rest)
      throw error
    }
  }

  /// Prefers help to an error: somebody who asks for help after a mistake wants the help.
  private func answerHelp(in words: ArraySlice<String>) throws {
    let help = Definition.all(for: path).first { $0.key == Definition.helpKey }
    let names = help?.description.names ?? []
    if words.prefix(while: { $0 != "--" }).contains(where: names.contains) {
      throw CleanExit.helpRequest()
    }
  }

  /// Answers `help apply`: help for the command that the words name.
  private mutating func showHelp(of words: ArraySlice<String>) throws -> Never {
    for word in words where !word.hasPrefix("-") {
      let parent = path[path.count - 1]
      guard let subcommand = parent.subcommand(named: word) else {
        throw parent.unknownSubcommand(word)
      }
      path.append(subcommand)
    }
    throw CleanExit.helpRequest()
  }

  private func located(_ error: any Error) -> CommandError {
    error as? CommandError ?? CommandError(error, path: path)
  }
}

extension ParsableCommand {
  fileprivate static func subcommand(named word: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.name == word || $0.configuration.aliases.contains(word) }
  }

  fileprivate static func unknownSubcommand(_ word: String) -> UsageError {
    let names = configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name }
    return .unknownSubcommand(word, nearest: nearest(to: word, among: names))
  }
}

extension Definition {
  // A property's name has no dash, so these keys are never taken.
  static let helpKey = "--help"
  static let versionKey = "--version"

  /// The arguments of the last command of a path, and the options that every command has.
  static func all(for path: [any ParsableCommand.Type]) -> [Definition] {
    let own = path.last?.definitions() ?? []
    return own + builtIn(for: path, besides: own)
  }

  /// The options that every command has, without names that the command uses itself.
  private static func builtIn(
    for path: [any ParsableCommand.Type], besides own: [Definition]
  ) -> [Definition] {
    var builtIn = [
      Definition(key: helpKey, names: ["-h", "--help"], abstract: "Show help information.")
    ]
    if !version(of: path).isEmpty {
      builtIn.insert(
        Definition(key: versionKey, names: ["--version"], abstract: "Show the version."), at: 0)
    }
    let taken = Set(own.flatMap(\.description.names))
    return builtIn.compactMap { definition in
      var definition = definition
      definition.description.names.removeAll(where: taken.contains)
      return definition.description.names.isEmpty ? nil : definition
    }
  }

  /// The version of the innermost command that has one.
  static func version(of path: [any ParsableCommand.Type]) -> String {
    path.last { !$0.configuration.version.isEmpty }?.configuration.version ?? ""
  }

  private init(key: String, names: [String], abstract: String) {
    self.init(
      key: key,
      description: ArgumentDescription(
        kind: .flag, names: names, valueName: String(key.dropFirst(2)), abstract: abstract,
        discussion: "", defaultValue: nil, allowedValues: [], isOptional: true,
        isRepeating: false, isHidden: false, completion: .default, isBuiltIn: true))
  }
}
