/// A shell that completion scripts are made for.
package enum CompletionShell: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// Version 4.4 or newer, with or without the package bash-completion.
  case bash
  /// Version 5.0 or newer, with its completion system.
  case zsh
  /// Version 3.4 or newer.
  case fish
}

extension ParsableCommand {
  /// A script that completes this program's command lines in a shell.
  ///
  /// The script knows no commands. It hands the unfinished line to the program, so that the answer
  /// always fits the installed program. The shell finds files, because it knows their bytes and its
  /// own quotes.
  ///
  /// - Parameters:
  ///   - shell: The shell that reads the script.
  ///   - request: The words that make the program print `completionAnswer(to:for:)`, such as
  ///     `completions bash --answer`; `--` and what is asked about follow them.
  package static func completionScript(for shell: CompletionShell, request: String) -> String {
    let text =
      switch shell {
      case .bash: bashScript
      case .zsh: zshScript
      case .fish: fishScript
      }
    return text.replacing("PROGRAM", with: name).replacing("REQUEST", with: request)
  }

  /// What a completion script gets for its question.
  ///
  /// - Parameters:
  ///   - question: In bash, the line up to the cursor, and the part that bash calls the word. In other
  ///     shells, the words after the program's name without quotes, the last up to the cursor.
  ///   - shell: The shell that asks.
  ///   - environment: The value of a variable, for names on the line; `nil` for none.
  /// - Returns: Rows that each end in NUL.
  package static func completionAnswer(
    to question: [String], for shell: CompletionShell,
    environment: @escaping (String) -> String? = { _ in nil }
  ) async -> String {
    var rows: [String]
    if shell == .bash {
      let replaced = question.dropFirst().first ?? ""
      let line = BashLine(question.first ?? "", environment: environment)
      let words = line.words.dropFirst().map { $0 }
      let answer = await completions(for: words)
      // Bash replaces only the text after the last `=` or `:`.
      let before = (question.first ?? "").dropLast(replaced.count)
      let kept = BashLine(String(before), environment: environment).words.last ?? ""
      let quote = [replaced.first, before.last].compactMap(\.self).first { "'\"".contains($0) }
      rows = answer.bashRows(typed: words.last ?? "", kept: kept, quote: quote)
    } else {
      rows = await completions(for: question).rows
    }
    return rows.map { $0 + "\0" }.joined()
  }
}

extension CompletionAnswer {
  /// The rows for bash, which wants words ready to be put in place, and does not explain them.
  ///
  /// - Parameters:
  ///   - typed: The last word without quotes.
  ///   - kept: The part of it that bash does not replace.
  ///   - quote: The quotation mark that is open; `nil` for none.
  fileprivate func bashRows(typed: String, kept: String, quote: Character?) -> [String] {
    let others = rows.filter { row in
      ["files:", "folders:", "ignored:", "prefix:"].contains { row.hasPrefix($0) }
    }
    let words = candidates.map { prefix + $0.word }
      .filter { $0.hasPrefix(typed) && $0.hasPrefix(kept) }
      .map { "word:" + $0.dropFirst(kept.count).quotedForBash(in: quote) }
    return words + ["typed:" + typed.dropFirst(prefix.count), "kept:" + kept] + others
  }
}

extension StringProtocol {
  /// The text with backslashes before the characters that mean something to bash.
  ///
  /// - Parameter quote: The quotation mark that is open already. Between quotation marks no character
  ///   gets a backslash.
  fileprivate func quotedForBash(in quote: Character?) -> String {
    guard quote == nil else { return String(self) }
    return String(
      flatMap { character in
        let isPlain = character.isLetter || character.isNumber || "-_./,:=+%@^".contains(character)
        return isPlain ? [character] : ["\\", character]
      })
  }
}

/// A command line as somebody types it in bash, up to the cursor, taken apart into words.
///
/// Bash hands completions the line with its quotes, and cuts words at `=` and `:` besides spaces.
/// Source: the bash reference manual, “Quoting”, “Shell Parameter Expansion”.
struct BashLine {
  /// The words without quotes and with variables replaced; the last is unfinished.
  let words: [String]

  /// - Parameter environment: The value of a variable; `nil` leaves its name as it stands.
  init(_ line: String, environment: @escaping (String) -> String? = { _ in nil }) {
    var reader = Reader(rest: Array(line)[...], environment: environment)
    words = reader.words()
  }
}

extension BashLine {
  private struct Reader {
    var rest: ArraySlice<Character>
    let environment: (String) -> String?

    mutating func words() -> [String] {
      var words: [String] = []
      var skipsNext = false
      while true {
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" }
        guard let first = rest.first else { return words + [""] }
        if first == "<" || first == ">" {
          // The next word is a file that the shell opens.
          rest = rest.drop { "<>&|".contains($0) }
          skipsNext = true
          continue
        }
        let word = word()
        if rest.isEmpty { return words + [word] }
        if !skipsNext { words.append(word) }
        skipsNext = false
      }
    }

    private mutating func word() -> String {
      var word = ""
      while let character = rest.first, !" \t\n<>".contains(character) {
        rest = rest.dropFirst()
        switch character {
        case "\\":
          // A backslash before a line break is removed with it.
          if let next = rest.popFirst(), next != "\n" { word.append(next) }
        case "'": word += take(until: "'")
        case "\"": word += doubleQuoted()
        case "$" where rest.first == "'":
          rest = rest.dropFirst()
          word += escaped()
        case "$": word += variable()
        default: word.append(character)
        }
      }
      return word
    }

    private mutating func take(until end: Character) -> String {
      let text = rest.prefix { $0 != end }
      rest = rest[text.endIndex...].dropFirst()
      return String(text)
    }

    private mutating func doubleQuoted() -> String {
      var text = ""
      while let character = rest.popFirst(), character != "\"" {
        switch character {
        case "\\":
          let next = rest.popFirst()
          if let next, !"$`\"\\\n".contains(next) { text.append("\\") }
          if let next, next != "\n" { text.append(next) }
        case "$": text += variable()
        default: text.append(character)
        }
      }
      return text
    }

    /// A text in `$'…'`, whose backslashes are those of C.
    private mutating func escaped() -> String {
      let controls: [Character: Character] = [
        "n": "\n", "t": "\t", "r": "\r", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}", "f": "\u{C}",
        "v": "\u{B}",
      ]
      var text = ""
      while let character = rest.popFirst(), character != "'" {
        guard character == "\\", let next = rest.popFirst() else {
          text.append(character)
          continue
        }
        text.append(controls[next] ?? next)
      }
      return text
    }

    private mutating func variable() -> String {
      let isBraced = rest.first == "{"
      let name = rest.dropFirst(isBraced ? 1 : 0)
        .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      let isClosed = !isBraced || rest[name.endIndex...].first == "}"
      guard !name.isEmpty, isClosed, let value = environment(String(name)) else { return "$" }
      rest = rest[name.endIndex...].dropFirst(isBraced ? 1 : 0)
      return value
    }
  }
}
