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
          // What follows is a file of the shell's.
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
          // Nothing is left of a line that goes on below.
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
