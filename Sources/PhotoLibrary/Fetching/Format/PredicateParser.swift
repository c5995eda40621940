/// Reads a predicate's text: a recursive descent whose depth and length are bounded.
///
///     predicate  = conjunction { OR conjunction }
///     conjunction = negation { AND negation }
///     negation   = NOT negation | "(" predicate ")" | TRUEPREDICATE | FALSEPREDICATE | comparison
struct PredicateParser {
  private static let longest = 16_384
  private static let deepest = 64
  private static let mostComparisons = 500

  private let tokens: [PredicateToken]
  private var position = 0
  var arguments: ArraySlice<FetchValue>
  private var depth = 0
  private var comparisons = 0

  init(_ text: String, _ arguments: [FetchValue]) throws(PredicateFormatError) {
    guard text.utf8.count <= Self.longest else {
      throw PredicateFormatError(column: Self.longest + 1, .tooLong)
    }
    tokens = try PredicateScanner.tokens(of: text)
    self.arguments = arguments[...]
  }

  /// Reads the whole text.
  mutating func predicate() throws(PredicateFormatError) -> Condition {
    let condition = try disjunction()
    guard token.content == .end else {
      throw expected("AND, OR or the end")
    }
    guard arguments.isEmpty else {
      throw PredicateFormatError(
        column: token.column, .argument("\(arguments.count) more arguments than placeholders"))
    }
    return condition
  }

  var token: PredicateToken { tokens[position] }

  /// The token some places further on; the end stays the last.
  func token(after offset: Int) -> PredicateToken {
    tokens[min(position + offset, tokens.count - 1)]
  }

  mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  /// Steps over a sign or a word, if it is the next token.
  mutating func take(_ names: String...) -> Bool {
    guard names.contains(where: { token.isCalled($0) }) else { return false }
    advance()
    return true
  }

  mutating func require(_ name: String) throws(PredicateFormatError) {
    guard take(name) else { throw expected("“\(name)”") }
  }

  func expected(_ what: String) -> PredicateFormatError {
    PredicateFormatError(column: token.column, .expected(what, found: token.name))
  }

  private mutating func deeper<Result>(
    _ work: (inout PredicateParser) throws(PredicateFormatError) -> Result
  ) throws(PredicateFormatError) -> Result {
    guard depth < Self.deepest else {
      throw PredicateFormatError(column: token.column, .tooDeep)
    }
    depth += 1
    defer { depth -= 1 }
    return try work(&self)
  }

  private mutating func disjunction() throws(PredicateFormatError) -> Condition {
    var parts = [try conjunction()]
    while take("OR", "||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateFormatError) -> Condition {
    var parts = [try negation()]
    while take("AND", "&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateFormatError) -> Condition {
    if take("NOT", "!") {
      return .not(
        try deeper { (parser) throws(PredicateFormatError) in try parser.negation() })
    }
    if take("TRUEPREDICATE") { return .always }
    if take("FALSEPREDICATE") { return .never }
    // A parenthesis may hold a predicate, or the two sides of “&”.
    if token.isCalled("("), !isMasked {
      advance()
      let condition = try deeper { (parser) throws(PredicateFormatError) in
        try parser.disjunction()
      }
      try require(")")
      return condition
    }
    comparisons += 1
    guard comparisons <= Self.mostComparisons else {
      throw PredicateFormatError(column: token.column, .tooLong)
    }
    return try comparison()
  }

  /// Whether the parenthesis that is next holds a key and its bits.
  private var isMasked: Bool { token(after: 2).isCalled("&") }
}

extension PredicateToken {
  /// Whether it is a sign or a word; words are the same in capital and small letters.
  func isCalled(_ name: String) -> Bool {
    switch content {
    case .sign(let sign): sign == name
    case .word(let word): word.uppercased() == name
    default: false
    }
  }
}
