/// What may stand at the end of an unfinished command line.
public struct CompletionAnswer: Sendable, Hashable {
  /// What of the last word comes before the value, such as `--output=`; empty for most.
  public internal(set) var prefix = ""
  /// Words that fit there, whether or not they begin as what was typed.
  public internal(set) var candidates: [CompletionCandidate] = []
  /// Files that fit there; `nil` for none.
  public internal(set) var files: CompletionFiles?
  /// What belongs there, in a few words.
  public internal(set) var hint = ""

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
  public static func completions(for words: [String]) async -> CompletionAnswer {
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
