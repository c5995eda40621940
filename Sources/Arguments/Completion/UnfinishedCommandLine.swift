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
/// A mistake further left must not prevent the completion of the rest, so a wrong word is passed over.
struct UnfinishedCommandLine {
  /// The command that the words name so far.
  private var command: CommandDescription
  private var scanner: CommandLineScanner
  private let words: [String]

  /// - Parameter words: The words after the program's name; the last is unfinished, often empty.
  init(_ root: CommandDescription, words: [String]) {
    command = root
    self.words = words.isEmpty ? [""] : words
    scanner = CommandLineScanner(root.arguments, words: self.words.dropLast())
    while !scanner.rest.isEmpty { read() }
  }

  private mutating func read() {
    do throws(UsageError) {
      let mayEnter = scanner.positionals.isEmpty && !command.subcommands.isEmpty
      guard case .argument(let word) = try scanner.scan(stopAtArgument: mayEnter) else { return }
      if let subcommand = command.subcommand(named: word) {
        scanner.skip()
        enter(subcommand)
      } else if let subcommand = command.defaultCommand {
        enter(subcommand)
      } else {
        scanner.takeArgument()
      }
    } catch {
      if case .unknownOption(let name, _) = error, let subcommand = command.defaultCommand,
        subcommand.arguments.contains(where: { $0.names.contains(name) })
      {
        enter(subcommand)
      } else {
        scanner.skip()
      }
    }
  }

  private mutating func enter(_ subcommand: CommandDescription) {
    command = subcommand
    scanner = CommandLineScanner(subcommand.arguments, words: scanner.rest)
  }
}

extension UnfinishedCommandLine {
  /// What may stand in place of the last word.
  func answer() async -> CompletionAnswer {
    let word = words.last ?? ""
    if let pending = scanner.pending { return await values(of: pending, typed: word) }
    if !scanner.isPastOptions, word.hasPrefix("-") {
      guard word.hasPrefix("--"), let end = word.firstIndex(of: "=") else { return options }
      guard let option = scanner.argument(named: String(word[..<end])), option.kind == .option
      else { return CompletionAnswer() }
      let start = word.index(after: end)
      var answer = await values(of: option, typed: String(word[start...]))
      answer.prefix = String(word[..<start])
      return answer
    }
    var answer = CompletionAnswer()
    var taker = scanner.arguments
    if scanner.positionals.isEmpty, !scanner.isPastOptions {
      answer.candidates = command.subcommands.filter { !$0.isHidden }.map { command in
        CompletionCandidate(
          command.name, command.abstract,
          section: command.section.isEmpty ? "subcommands" : command.section)
      }
      taker = command.defaultCommand?.arguments ?? taker
    }
    let placed = taker.filter { $0.kind == .positional && !$0.isHidden }
    let place = scanner.positionals.count
    // The last one may take all that follow.
    if let argument = place < placed.count ? placed[place] : placed.last,
      place < placed.count || argument.isRepeating
    {
      answer.add(await values(of: argument, typed: word))
    }
    return answer.isEmpty && !scanner.isPastOptions ? options : answer
  }

  /// The options that can still be given.
  private var options: CompletionAnswer {
    var answer = CompletionAnswer()
    let left = scanner.arguments.filter { argument in
      argument.kind != .positional && !argument.isHidden
        && (argument.isRepeating || !scanner.has(argument))
    }
    // As in help: those of the command come first, and those of a title stand together.
    answer.candidates = left.map(\.section).grouped.flatMap { section in
      left.filter { $0.section == section }.compactMap { option in
        option.preferredName.map { name in
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
    switch kind {
    case .default: answer.candidates = allowed.map { CompletionCandidate($0) }
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

extension String {
  /// A sentence as a list of words has it.
  var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}
