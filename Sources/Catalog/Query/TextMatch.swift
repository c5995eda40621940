import SafelightCSQLite

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

/// Removes case and accents from texts, for searches that ignore them.
package enum TextFolding {
  /// A text without its case, its accents, or both.
  package static func folded(_ text: String, ignoringCase: Bool, ignoringAccents: Bool) -> String {
    guard ignoringCase || ignoringAccents else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      var scalar = scalar
      if ignoringAccents, scalar.value >= 0xC0 {
        if scalar.properties.canonicalCombiningClass != .notReordered { continue }
        scalar = bases[scalar] ?? scalar
      }
      if !ignoringCase {
        result.append(scalar)
      } else if scalar.isASCII {
        result.append(
          (65...90).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
      } else {
        result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  /// A text as the index of names has it. Texts that any kind of search treats as equal become the same.
  package static func searchable(_ text: String) -> String {
    folded(
      folded(text, ignoringCase: true, ignoringAccents: false), ignoringCase: true,
      ignoringAccents: true)
  }

  /// The Latin, Greek and Cyrillic letters with accents, and the same letters without.
  ///
  /// The Unicode Character Database calls them “LETTER WITH ACCENT”, so this file needs no table.
  private static let bases: [Unicode.Scalar: Unicode.Scalar] = {
    let blocks =
      [0x41...0x2AF, 0x370...0x52F, 0x1D00...0x1FFF, 0x2C60...0x2C7F] as [ClosedRange<UInt32>]
    let letters = blocks.flatMap { block in block.compactMap(Unicode.Scalar.init) }
    let named = letters.compactMap { letter in
      letter.properties.name.map { (letter: letter, name: $0) }
    }
    let plain = Dictionary(named.map { ($0.name, $0.letter) }) { first, _ in first }
    // The names of these letters have no “WITH”.
    var bases: [Unicode.Scalar: Unicode.Scalar] = [
      "й": "и", "Й": "И", "ё": "е", "Ё": "Е", "ї": "і", "Ї": "І", "ɵ": "o",
    ]
    for (letter, name) in named {
      guard let end = name.utf8.indices.first(where: { name[$0...].hasPrefix(" WITH ") }),
        // These are two letters in one character, of which only the first is a capital.
        !name[end...].hasPrefix(" WITH SMALL LETTER")
      else { continue }
      if let base = plain[String(name[..<end])] { bases[letter] = base }
    }
    // The base letter may have another accent.
    return bases.mapValues { bases[$0] ?? $0 }
  }()
}

extension Database {
  /// Adds the SQL function `foldedText(name)`, which folds the bytes of a name for the index of names.
  func addTextFolding() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "foldedText", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        let start = sqlite3_value_blob(values?[0])
        let name = UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_value_bytes(values?[0])))
        // Almost all names are ASCII. A String of each would cost ten times as much.
        let folded =
          name.allSatisfy { $0 < 0x80 }
          ? name.map { (65...90).contains($0) ? $0 + 32 : $0 }
          : Array(TextFolding.searchable(String(decoding: name, as: UTF8.self)).utf8)
        safelight_result_text(context, folded, Int32(folded.count))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }

  /// Adds the SQL function `textMatches(text, place, pattern, ignoresCase, ignoresAccents)`.
  ///
  /// The pattern must be folded. Texts and blobs are compared; other values never match.
  package func addTextMatches() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "textMatches", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL,
          let match = TextMatcher.kept(context, values)
        else { return sqlite3_result_int(context, 0) }
        sqlite3_result_int(context, match.matches(bytes(values[0])) ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }
}

/// A text's bytes, valid for the duration of the call.
private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
  // The bytes must be read first: SQLite knows their length only after that.
  let start = sqlite3_value_blob(value)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

/// The pattern of a `textMatches` call, which is used for all rows.
private final class TextMatcher {
  private let match: TextMatch
  private let pattern: [UInt8]
  private let isASCII: Bool

  init(_ match: TextMatch) {
    self.match = match
    pattern = Array(match.pattern.utf8)
    isASCII = pattern.allSatisfy { $0 < 0x80 }
  }

  /// The pattern of a call. The first row makes it; SQLite releases it with the statement.
  static func kept(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>
  ) -> TextMatcher? {
    if let kept = sqlite3_get_auxdata(context, 2) {
      return Unmanaged<TextMatcher>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let place = TextMatch.Place(rawValue: sqlite3_value_int64(values[1])) else { return nil }
    let matcher = TextMatcher(
      TextMatch(
        folded: String(decoding: bytes(values[2]), as: UTF8.self), place,
        ignoresCase: sqlite3_value_int(values[3]) != 0,
        ignoresAccents: sqlite3_value_int(values[4]) != 0))
    sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(matcher).toOpaque()) {
      Unmanaged<TextMatcher>.fromOpaque($0!).release()
    }
    // When SQLite has no memory it releases the pattern at once, but this call still holds it.
    return matcher
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    // Almost all names are ASCII. A String of each would cost ten times as much.
    guard match.place != .like, text.allSatisfy({ $0 < 0x80 }) else {
      return match.matches(String(decoding: text, as: UTF8.self))
    }
    guard isASCII, text.count >= pattern.count else { return false }
    let last = text.count - pattern.count
    return switch match.place {
    case .whole: last == 0 && isFound(in: text, at: 0)
    case .beginning: isFound(in: text, at: 0)
    case .end: isFound(in: text, at: last)
    case .anywhere, .like: (0...last).contains { isFound(in: text, at: $0) }
    }
  }

  private func isFound(in text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for (offset, wanted) in pattern.enumerated() {
      var byte = text[start + offset]
      if match.ignoresCase, (65...90).contains(byte) { byte += 32 }
      if byte != wanted { return false }
    }
    return true
  }
}
