/// A pattern for texts.
package struct TextMatch: Sendable, Hashable {
  /// Where in the text the pattern must be.
  package enum Place: Int64, Sendable, CaseIterable {
    case whole, beginning, end, anywhere
    /// In the pattern `*` means any letters and `?` one letter; `\` makes the next character literal.
    case like
  }

  package let place: Place
  /// The folded pattern.
  package let pattern: String
  package let ignoresCase: Bool
  package let ignoresAccents: Bool

  package init(
    _ place: Place, _ pattern: String, ignoresCase: Bool = false, ignoresAccents: Bool = false
  ) {
    self.place = place
    self.pattern = TextFolding.folded(
      pattern, ignoringCase: ignoresCase, ignoringAccents: ignoresAccents)
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
  }

  /// A match with a pattern that is already folded.
  package init(folded pattern: String, _ place: Place, ignoresCase: Bool, ignoresAccents: Bool) {
    self.place = place
    self.pattern = pattern
    self.ignoresCase = ignoresCase
    self.ignoresAccents = ignoresAccents
  }

  package func matches(_ text: String) -> Bool {
    let text = TextFolding.folded(text, ignoringCase: ignoresCase, ignoringAccents: ignoresAccents)
    let (text8, pattern8) = (text.utf8, pattern.utf8)
    return switch place {
    case .whole: text8.elementsEqual(pattern8)
    case .beginning: text8.starts(with: pattern8)
    case .end: text8.reversed().starts(with: pattern8.reversed())
    case .anywhere: Self.contains(Array(text8), Array(pattern8))
    case .like: Self.isLike(Array(text.unicodeScalars), Self.parts(pattern))
    }
  }

  /// Whether all texts that match are neighbors in an index in the order of bytes.
  var isPrefix: Bool { place == .beginning && !ignoresCase && !ignoresAccents }

  /// Texts that are part of every text that matches, when both are folded by
  /// ``TextFolding/searchable(_:)``.
  var necessary: [String] {
    guard place == .like else { return [TextFolding.searchable(pattern)] }
    var pieces = [String.UnicodeScalarView()]
    for part in Self.parts(pattern) {
      if case .letter(let letter) = part {
        pieces[pieces.count - 1].append(letter)
      } else {
        pieces.append(String.UnicodeScalarView())
      }
    }
    return pieces.map { TextFolding.searchable(String($0)) }
  }

  private static func contains(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first else { return true }
    guard text.count >= pattern.count else { return false }
    for start in 0...(text.count - pattern.count) where text[start] == first {
      if text[start..<start + pattern.count].elementsEqual(pattern) { return true }
    }
    return false
  }

  private enum Part: Equatable {
    case letter(Unicode.Scalar)
    case one
    case many
  }

  private static func parts(_ pattern: String) -> [Part] {
    var parts: [Part] = []
    var isLiteral = false
    for scalar in pattern.unicodeScalars {
      if isLiteral {
        parts.append(.letter(scalar))
        isLiteral = false
      } else {
        switch scalar {
        case "\\": isLiteral = true
        case "*": if parts.last != .many { parts.append(.many) }
        case "?": parts.append(.one)
        default: parts.append(.letter(scalar))
        }
      }
    }
    if isLiteral { parts.append(.letter("\\")) }
    return parts
  }

  /// Goes back to the last `*` only, so the time is at most text × pattern.
  private static func isLike(_ text: [Unicode.Scalar], _ pattern: [Part]) -> Bool {
    var (position, part) = (0, 0)
    var resume: (position: Int, part: Int)?
    while position < text.count {
      if part < pattern.count, pattern[part] == .many {
        resume = (position, part)
        part += 1
      } else if part < pattern.count,
        pattern[part] == .one || pattern[part] == .letter(text[position])
      {
        position += 1
        part += 1
      } else if let last = resume {
        resume = (last.position + 1, last.part)
        (position, part) = (last.position + 1, last.part + 1)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == .many }
  }
}

/// The form of keywords in their column: one text with a line end before and after each keyword, so that a
/// search for a part of the text finds whole keywords.
package enum KeywordText {
  /// The text of some keywords; `nil` without any.
  package static func joined(_ keywords: [String]) -> String? {
    let lines = keywords.map(line).filter { !$0.isEmpty }
    return lines.isEmpty ? nil : "\n" + lines.joined(separator: "\n") + "\n"
  }

  /// The keywords of a text.
  package static func split(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init)
  }

  /// A match that finds a pattern in one of the keywords; `nil` for `LIKE`, whose `*` would match line ends.
  package static func match(
    _ place: TextMatch.Place, _ pattern: String, ignoresCase: Bool, ignoresAccents: Bool
  ) -> TextMatch? {
    let text = line(pattern)
    let pattern: String
    switch place {
    case .whole: pattern = "\n\(text)\n"
    case .beginning: pattern = "\n\(text)"
    case .end: pattern = "\(text)\n"
    case .anywhere: pattern = text
    case .like: return nil
    }
    return TextMatch(
      .anywhere, pattern, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents)
  }

  /// A keyword on one line.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
