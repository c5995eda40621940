/// What may stand at the end of an unfinished command line.
package struct CompletionAnswer: Sendable, Hashable {
  /// The part of the last word before the value, such as `--output=`; empty for most.
  package internal(set) var prefix = ""
  /// Words that fit there, also those that do not begin with the typed letters.
  package internal(set) var candidates: [CompletionCandidate] = []
  /// Files that fit there; `nil` for none.
  package internal(set) var files: CompletionFiles?
  /// What belongs there, in a few words.
  package internal(set) var hint = ""

  var isEmpty: Bool { candidates.isEmpty && files == nil && hint.isEmpty }

  mutating func add(_ other: CompletionAnswer) {
    candidates += other.candidates
    files = other.files ?? files
    if !other.hint.isEmpty { hint = other.hint }
  }
}

extension ParsableCommand {
  /// What may stand in place of the last word of an unfinished command line of this program.
  ///
  /// - Parameter words: The words after the program's name, without any shell's quotes; the last is
  ///   the unfinished one up to the cursor, or empty.
  package static func completions(for words: [String]) async -> CompletionAnswer {
    await UnfinishedCommandLine(commandDescription, words: words).answer()
  }
}

extension CompletionAnswer {
  /// The answer as a completion script reads it: rows that each end in NUL, a word, a colon and
  /// what it is about.
  ///
  /// The rows are `prefix`, `word` (with its explanation after a tab), `section` before the words
  /// under it, `files` (endings with bars between, or nothing for all), `ignored` for each end of
  /// name, `folders`, and `message` when there is nothing else.
  var rows: [String] {
    var rows = prefix.isEmpty ? [] : ["prefix:" + prefix]
    var section = ""
    for candidate in candidates where !candidate.word.contains(where: \.isControl) {
      if candidate.section != section {
        section = candidate.section
        rows.append("section:" + section)
      }
      rows.append("word:\(candidate.word)\t\(candidate.explanation.withoutPeriod)")
    }
    if let files {
      if files.isFoldersOnly {
        rows.append("folders:")
      } else {
        rows.append("files:" + files.extensions.joined(separator: "|"))
        rows += files.ignoring.map { "ignored:" + $0 }
      }
    }
    if candidates.isEmpty, files == nil, !hint.isEmpty { rows.append("message:" + hint) }
    return rows
  }
}

extension Character {
  /// Whether the character would break a row, or a line of a terminal.
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// A command line up to the cursor.
///
/// Sorts words as ``CommandLineScanner`` does, but refuses nothing: a mistake further left must not
/// prevent the completion of the rest.
struct UnfinishedCommandLine {
  /// The command that the words name so far.
  private var command: CommandDescription
  private var given: Set<String> = []
  private var positionals = 0
  private var isPastOptions = false
  /// The option whose value comes next.
  private var pending: ArgumentDescription?
  private let words: [String]

  /// - Parameter words: The words after the program's name; the last is unfinished, often empty.
  init(_ root: CommandDescription, words: [String]) {
    command = root
    self.words = words.isEmpty ? [""] : words
    for word in self.words.dropLast() { read(word) }
  }

  private mutating func read(_ word: String) {
    if pending != nil {
      pending = nil
    } else if !isPastOptions, word == "--" {
      isPastOptions = true
    } else if !isPastOptions, isOption(word) {
      word.hasPrefix("--") ? readLongOption(word) : readShortOptions(word)
    } else {
      readArgument(word)
    }
  }

  private mutating func readArgument(_ word: String) {
    if positionals == 0, !isPastOptions {
      if let subcommand = command.subcommand(named: word) { return enter(subcommand) }
      if let subcommand = command.defaultCommand { enter(subcommand) }
    }
    positionals += 1
  }

  private mutating func enter(_ subcommand: CommandDescription) {
    command = subcommand
    given = []
    positionals = 0
  }

  private mutating func readLongOption(_ word: String) {
    let name = String(word.prefix { $0 != "=" })
    if command.argument(named: name) == nil, let subcommand = command.defaultCommand,
      subcommand.argument(named: name) != nil
    {
      enter(subcommand)
    }
    note(name, hasValue: word.contains("="))
  }

  private mutating func readShortOptions(_ word: String) {
    for (index, letter) in word.enumerated().dropFirst() {
      let name = "-\(letter)"
      let isLast = index == word.count - 1
      note(name, hasValue: !isLast)
      if command.argument(named: name)?.kind != .flag { return }
    }
  }

  private mutating func note(_ name: String, hasValue: Bool) {
    guard let argument = command.argument(named: name) else { return }
    given.formUnion(argument.names)
    if argument.kind == .option, !hasValue { pending = argument }
  }

  private func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    // “-3” is a number unless the command has such a flag.
    let isNumber = word.dropFirst().first.map { ("0"..."9").contains($0) || $0 == "." } ?? false
    return !isNumber || command.argument(named: String(word.prefix(2))) != nil
  }
}

extension UnfinishedCommandLine {
  /// What may stand in place of the last word.
  func answer() async -> CompletionAnswer {
    let word = words.last ?? ""
    if let pending { return await values(of: pending, typed: word) }
    if !isPastOptions, word.hasPrefix("-") {
      guard word.hasPrefix("--"), let end = word.firstIndex(of: "=") else { return options }
      guard let option = command.argument(named: String(word[..<end])), option.kind == .option
      else { return CompletionAnswer() }
      let start = word.index(after: end)
      var answer = await values(of: option, typed: String(word[start...]))
      answer.prefix = String(word[..<start])
      return answer
    }
    var answer = CompletionAnswer()
    var taker = command
    if positionals == 0, !isPastOptions {
      answer.candidates = command.subcommands.filter { !$0.isHidden }.map { command in
        CompletionCandidate(
          command.name, command.abstract,
          section: command.section.isEmpty ? "subcommands" : command.section)
      }
      taker = command.defaultCommand ?? command
    }
    if let argument = taker.positional(at: positionals) {
      answer.add(await values(of: argument, typed: word))
    }
    return answer.isEmpty && !isPastOptions ? options : answer
  }

  /// The options that can still be given.
  private var options: CompletionAnswer {
    var answer = CompletionAnswer()
    let left = command.arguments.filter { argument in
      argument.kind != .positional && !argument.isHidden
        && (argument.isRepeating || given.isDisjoint(with: argument.names))
    }
    // As in help: those of the command come first, and those of a title stand together.
    answer.candidates = left.map(\.section).grouped.flatMap { section in
      left.filter { $0.section == section }.compactMap { option in
        (option.names.first { $0.hasPrefix("--") } ?? option.names.first).map { name in
          CompletionCandidate(name, option.abstract, section: section.isEmpty ? "options" : section)
        }
      }
    }
    return answer
  }

  private func values(
    of argument: ArgumentDescription, typed: String
  ) async -> CompletionAnswer {
    var answer = await values(of: argument.completion, allowed: argument.allowedValues, typed)
    answer.hint = argument.abstract.withoutPeriod
    return answer
  }

  private func values(
    of kind: CompletionKind, allowed: [String], _ typed: String
  ) async -> CompletionAnswer {
    var answer = CompletionAnswer()
    switch kind.content {
    case .standard: answer.candidates = allowed.map { CompletionCandidate($0) }
    case .candidates(let candidates): answer.candidates = candidates
    case .files(let files): answer.files = files
    case .custom(let source):
      answer.candidates = await source([command.path[0]] + words, words.count, typed)
    case .anyOf(let kinds):
      for kind in kinds { answer.add(await values(of: kind, allowed: [], typed)) }
    }
    return answer
  }
}

extension CommandDescription {
  fileprivate var defaultCommand: CommandDescription? {
    subcommands.first { $0.name == defaultSubcommand }
  }

  fileprivate func argument(named name: String) -> ArgumentDescription? {
    arguments.first { $0.names.contains(name) }
  }

  /// The argument that takes the word at a place; the last one may take all that follow.
  fileprivate func positional(at index: Int) -> ArgumentDescription? {
    let positionals = arguments.filter { $0.kind == .positional && !$0.isHidden }
    if index < positionals.count { return positionals[index] }
    return positionals.last.flatMap { $0.isRepeating ? $0 : nil }
  }
}

extension String {
  /// A sentence as a list of words has it.
  var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
