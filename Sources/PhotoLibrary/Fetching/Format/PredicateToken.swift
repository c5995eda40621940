import SafelightCatalog

/// A word, a value or a sign in a predicate's text.
struct PredicateToken: Equatable {
  enum Content: Equatable {
    case word(String)
    case text(String)
    case integer(Int64)
    case real(Double)
    /// An operator, a bracket or a comma.
    case sign(String)
    /// `%@`, `%d`, `%f` or `%K`: the letter.
    case placeholder(Character)
    case end
  }

  let content: Content
  /// The place of its first character; the text begins at 1.
  let column: Int

  /// The token's name in messages.
  var name: String {
    switch content {
    case .word(let text), .sign(let text): "“\(text)”"
    case .text(let text): "the text “\(text)”"
    case .integer(let number): "“\(number)”"
    case .real(let number): "“\(number)”"
    case .placeholder(let letter): "“%\(letter)”"
    case .end: "the end"
    }
  }
}

/// Divides a predicate's text into tokens.
struct PredicateScanner {
  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  /// All tokens; the last is the end.
  static func tokens(of text: String) throws(PredicateFormatError) -> [PredicateToken] {
    var scanner = PredicateScanner(text)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try scanner.next()) } while tokens.last?.content != .end
    return tokens
  }

  private static let signs = [
    "==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}",
    "[", "]", ",", "&", "+", "-", "*", "/", "@", "$", "|", "^", ":", "#", ".", "~",
  ].map(Array.init)

  private mutating func next() throws(PredicateFormatError) -> PredicateToken {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let column = position + 1
    guard position < characters.count else { return PredicateToken(content: .end, column: column) }
    let first = characters[position]
    let content: PredicateToken.Content
    if first == "'" || first == "\"" {
      content = .text(try quotation(first))
    } else if first == "%" {
      content = try placeholder()
    } else if Self.isDigit(first) || (first == "." && Self.isDigit(peek(1))) {
      content = try number()
    } else if first.isLetter || first == "_" {
      content = .word(taking { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
    } else if let sign = Self.signs.first(where: { characters[position...].starts(with: $0) }) {
      position += sign.count
      content = .sign(String(sign))
    } else {
      throw PredicateFormatError(column: column, .expected("a word", found: "“\(first)”"))
    }
    return PredicateToken(content: content, column: column)
  }

  private static func isDigit(_ character: Character?) -> Bool {
    character.map { ("0"..."9").contains($0) && $0.isASCII } ?? false
  }

  private func peek(_ offset: Int) -> Character? {
    position + offset < characters.count ? characters[position + offset] : nil
  }

  private mutating func taking(while condition: (Character) -> Bool) -> String {
    let start = position
    while position < characters.count, condition(characters[position]) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func quotation(_ mark: Character) throws(PredicateFormatError) -> String {
    let column = position + 1
    var text = ""
    position += 1
    while let character = peek(0) {
      position += 1
      if character == mark { return text }
      guard character == "\\", let escaped = peek(0) else {
        text.append(character)
        continue
      }
      position += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      // `LIKE` needs the backslash before these.
      case "*", "?": text += "\\" + String(escaped)
      default: text.append(escaped)
      }
    }
    throw PredicateFormatError(column: column, .unclosedQuotation)
  }

  private mutating func number() throws(PredicateFormatError) -> PredicateToken.Content {
    let column = position + 1
    var digits = taking { Self.isDigit($0) }
    if digits == "0", let letter = peek(0), letter == "x" || letter == "X" {
      position += 1
      let hexadecimal = taking { $0.isHexDigit }
      if let number = Int64(hexadecimal, radix: 16) { return .integer(number) }
      throw PredicateFormatError(
        column: column, .expected("a number", found: "“0x\(hexadecimal)”"))
    }
    if peek(0) == ".", Self.isDigit(peek(1)) {
      position += 1
      digits += "." + taking { Self.isDigit($0) }
    }
    if let letter = peek(0), letter == "e" || letter == "E" {
      let signed = peek(1) == "-" || peek(1) == "+"
      if Self.isDigit(peek(signed ? 2 : 1)) {
        digits += "e" + (peek(1) == "-" ? "-" : "")
        position += signed ? 2 : 1
        digits += taking { Self.isDigit($0) }
      }
    }
    if let number = Int64(digits) { return .integer(number) }
    if let number = Double(digits), number.isFinite { return .real(number) }
    throw PredicateFormatError(column: column, .expected("a number", found: "“\(digits)”"))
  }

  private mutating func placeholder() throws(PredicateFormatError) -> PredicateToken.Content {
    let column = position + 1
    position += 1
    // The widths of C, as in `%ld` and `%llu`, have no meaning for Swift values.
    let width = taking { "lhqz".contains($0) }
    guard let letter = peek(0) else {
      throw PredicateFormatError(
        column: column, .expected("%@, %d, %f or %K", found: "“%\(width)”"))
    }
    position += 1
    switch letter {
    case "@", "K": if width.isEmpty { return .placeholder(letter) }
    case "d", "i", "u", "D", "U", "x", "X": return .placeholder("d")
    case "f", "g", "e": return .placeholder("f")
    default: break
    }
    throw PredicateFormatError(
      column: column, .expected("%@, %d, %f or %K", found: "“%\(width)\(letter)”"))
  }
}

/// Why a text is not a predicate.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The text is longer than 16,384 bytes, or has more than 500 comparisons.
    case tooLong
    /// Parentheses and `NOT` are more than 64 levels deep.
    case tooDeep
    /// There is no such key; `nearest` is the most similar key.
    case unknownKey(String, nearest: String?)
    /// The text has something else than expected.
    case expected(String, found: String)
    /// A quotation has no end.
    case unclosedQuotation
    /// The key cannot be compared with such a value.
    case wrongKind(key: String, kind: String, found: String)
    /// A text is no date.
    case invalidDate(String)
    /// A placeholder has no argument, or one of a wrong kind, or there are too many arguments.
    case argument(String)
    /// A part of `NSPredicate` that is not supported.
    case unsupported(String)
  }

  /// The place of the mistake in the text, in characters; the first character is 1.
  public let column: Int
  /// What is wrong.
  public let reason: Reason

  init(column: Int, _ reason: Reason) {
    self.column = column
    self.reason = reason
  }

  public var description: String { "Column \(column): \(text)." }

  private var text: String {
    switch reason {
    case .tooLong: "the predicate is too long"
    case .tooDeep: "parentheses are nested too deeply"
    case .unknownKey(let name, _): "there is no key “\(name)”"
    case .expected(let expected, let found): "\(expected) must stand here, not \(found)"
    case .unclosedQuotation: "the quotation is not closed"
    case .wrongKind(let key, let kind, let found):
      "\(key) is \(kind) and cannot be compared with \(found)"
    case .invalidDate(let text): "“\(text)” is no date"
    case .argument(let detail): detail
    case .unsupported(let what): "\(what) is not supported"
    }
  }
}
