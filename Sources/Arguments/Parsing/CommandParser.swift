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
        if case .unknownOption(let name, nil) = error,
          let word = scanner.rest.first(where: { type.subcommand(named: $0) != nil })
        {
          throw UsageError.misplacedOption(name, subcommand: word)
        }
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

/// A word of the command line and the name it was given under.
struct ScannedWord {
  let text: String
  /// The name as it was written, with its dashes; `nil` for a positional argument.
  let name: String?
  /// Whether it is a flag, which has no value.
  var isFlag = false
  /// For a positional argument, how many words stand before it.
  var place = 0
  /// What the argument belongs to.
  var origin = Definition.Origin()
}

/// The words given for each argument, by the argument's key, in their order.
typealias ScannedWords = [String: [ScannedWord]]

/// Sorts the words of one command into its options and arguments.
///
/// Works as POSIX and GNU agree: options anywhere, `--` ends them, short flags combine.
struct CommandLineScanner {
  /// Why scanning stopped.
  enum Stop {
    case end
    /// The next word of `rest` is an argument, and the caller asked to stop there.
    case argument(String)
    case help
    case version
  }

  let definitions: [Definition]
  /// The words not yet sorted.
  private(set) var rest: ArraySlice<String>
  private var found: ScannedWords = [:]
  private var positionals: [String] = []
  private var isPastOptions = false
  private let byName: [String: Definition]

  init(_ definitions: [Definition], words: ArraySlice<String>) {
    self.definitions = definitions
    rest = words
    let named = definitions.flatMap { definition in
      definition.description.names.map { ($0, definition) }
    }
    byName = Dictionary(named) { first, second in
      assertionFailure("\(first.key) and \(second.key) have a name in common.")
      return first
    }
  }

  /// Sorts words until they end or something needs the caller.
  mutating func scan(stopAtArgument: Bool) throws(UsageError) -> Stop {
    while let word = rest.first {
      if !isPastOptions, word == "--" {
        isPastOptions = true
        rest = rest.dropFirst()
      } else if !isPastOptions, isOption(word) {
        if let stop = try takeOption(word) { return stop }
      } else if stopAtArgument, !isPastOptions {
        return .argument(word)
      } else {
        positionals.append(word)
        rest = rest.dropFirst()
      }
    }
    return .end
  }

  /// Every word by its argument's key, with the positional ones dealt out in order.
  func finished() throws(UsageError) -> ScannedWords {
    var words = found
    var left = positionals[...]
    for definition in definitions where definition.description.kind == .positional {
      let count = definition.description.isRepeating ? left.count : 1
      let places = left.prefix(count).indices
      // The options of a table share a key with its argument.
      words[definition.key, default: []] += places.map {
        ScannedWord(text: left[$0], name: nil, place: $0, origin: definition.origin)
      }
      left = left.dropFirst(count)
    }
    guard left.isEmpty else { throw .unexpectedArguments(Array(left)) }
    return words
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    // A negative number is an argument unless the command has flags of that spelling.
    return !isNegativeNumber(word) || word.dropFirst().allSatisfy { byName["-\($0)"] != nil }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) -> Stop? {
    guard word.hasPrefix("--") else { return try takeShortOptions(word) }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let definition = byName[name] else { throw .unknownOption(name, nearest: nearest(name)) }
    return try take(definition, name, value: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Takes flags written together, of which the last may be an option with its value: `-qn5`.
  private mutating func takeShortOptions(_ word: String) throws(UsageError) -> Stop? {
    // `-tag` could be `-t ag`, but people mean `--tag`.
    let long = "-" + word.prefix { $0 != "=" }
    if long.count > 3, byName[long] != nil { throw .unknownOption(word, nearest: long) }
    var letters = word.dropFirst()
    let isFirst = { (letters: Substring) in letters.count == word.count - 1 }
    while let letter = letters.first {
      let name = "-" + String(letter)
      guard let definition = byName[name] else {
        let near = word.count > 2 ? nearest("-" + word) : nil
        throw .unknownOption(near != nil || isFirst(letters) ? word : name, nearest: near)
      }
      letters = letters.dropFirst()
      let isFlag = definition.description.kind == .flag && letters.first != "="
      let value = letters.first == "=" ? letters.dropFirst() : letters
      let isLast = !isFlag || letters.isEmpty
      if isLast {
        return try take(definition, name, value: letters.isEmpty ? nil : String(value))
      }
      if let stop = record(definition, as: name) { return stop }
    }
    return nil
  }

  /// Takes one option with the value written in the same word, if any; else the next word's.
  private mutating func take(
    _ definition: Definition, _ name: String, value: String?
  ) throws(UsageError) -> Stop? {
    let description = definition.description
    if description.kind == .flag {
      if let value { throw .unexpectedValue(value, flag: name) }
      rest = rest.dropFirst()
      return record(definition, as: name)
    }
    if let value {
      rest = rest.dropFirst()
      return record(definition, as: name, value: value)
    }
    guard let next = rest.dropFirst().first, !looksLikeOption(next) else {
      throw .missingValue(option: description.label(spelled: name))
    }
    rest = rest.dropFirst(2)
    return record(definition, as: name, value: next)
  }

  private mutating func record(
    _ definition: Definition, as name: String, value text: String = ""
  ) -> Stop? {
    switch definition.key {
    case Definition.helpKey: return .help
    case Definition.versionKey: return .version
    default:
      let isFlag = definition.description.kind == .flag
      found[definition.key, default: []].append(
        ScannedWord(text: text, name: name, isFlag: isFlag, origin: definition.origin))
      return nil
    }
  }

  private func nearest(_ name: String) -> String? {
    let visible = definitions.filter { !$0.description.isHidden }.flatMap(\.description.names)
    let body = String(name.drop { $0 == "-" })
    let bodies = visible.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    return SafelightArguments.nearest(to: body, among: bodies).map { "--" + $0 }
  }
}

/// Whether a word after an option is another option rather than its value.
private func looksLikeOption(_ word: String) -> Bool {
  word.hasPrefix("-") && word.count > 1 && !isNegativeNumber(word)
}

/// Whether a word starts as a negative number does: with a dash and a digit, or a dash, dot, digit.
private func isNegativeNumber(_ word: String) -> Bool {
  guard word.hasPrefix("-") else { return false }
  let number = word.dropFirst()
  let digit = number.hasPrefix(".") ? number.dropFirst().first : number.first
  return digit.map { ("0"..."9").contains($0) } ?? false
}
