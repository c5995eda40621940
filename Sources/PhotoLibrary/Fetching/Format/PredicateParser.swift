import SafelightCatalog

/// Reads a predicate's text by recursive descent, with limits of depth and length.
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

  /// A later token; after the last token always the last.
  func token(after offset: Int) -> PredicateToken {
    tokens[min(position + offset, tokens.count - 1)]
  }

  mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  /// Goes to the next token if this one is a sign or a word with one of these names.
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
    // A parenthesis may contain a predicate, or a key and its bits.
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

  /// Whether this parenthesis contains a key and its bits.
  private var isMasked: Bool { token(after: 2).isCalled("&") }
}

extension PredicateToken {
  /// Whether the token is a sign or a word with this name, in capital or small letters.
  func isCalled(_ name: String) -> Bool {
    switch content {
    case .sign(let sign): sign == name
    case .word(let word): word.uppercased() == name
    default: false
    }
  }
}

extension PredicateParser {
  /// One side of a comparison.
  enum Side {
    case term(Condition.Term)
    /// `ANY` and a key whose value is a list.
    case any(FetchKey)
    case value(FetchValue, PredicateToken)
  }

  /// The operator between two sides.
  private enum Operator {
    case relation(Condition.Relation, negated: Bool)
    case text(TextMatch.Place)
    case among, between
  }

  mutating func comparison() throws(PredicateFormatError) -> Condition {
    let start = token
    let left = try side()
    let sign = token
    let found = try comparator()
    let options = try textOptions()
    if options != nil, case .relation(.equal, _) = found {
    } else if options != nil, case .text = found {
    } else if options != nil {
      throw PredicateFormatError(
        column: sign.column, .unsupported("[c] or [d] behind \(sign.name)"))
    }
    switch (left, found) {
    case (.term(let term), .among): return try among(term, start)
    case (.term(let term), .between): return try between(term, start)
    case (.term(let term), .text(let place)):
      return try text(term, place, options: options ?? [], at: start)
    case (.term(let term), .relation(let relation, let negated)):
      let right = try side()
      if let options {
        guard relation == .equal, case .value(.text(let text), _) = right, term.key.kind == .text
        else { throw PredicateFormatError(column: sign.column, .unsupported("[c] or [d] here")) }
        return Self.negated(.text(term.key, TextMatch(.whole, text, options: options)), negated)
      }
      return Self.negated(try compared(term, relation, to: right), negated)
    case (.any(let key), _): return try anyKeyword(of: key, found, options: options ?? [], at: sign)
    case (.value(let value, let token), .among):
      guard case .term(let term) = try side(), term.key.kind == .keywords else {
        throw PredicateFormatError(column: start.column, .expected("a key", found: start.name))
      }
      return try keyword(of: term.key, .whole, value, options: [], at: token)
    case (.value(let value, let token), .relation(let relation, let negated)):
      guard case .term(let term) = try side() else {
        throw PredicateFormatError(column: start.column, .expected("a key", found: start.name))
      }
      return Self.negated(
        try compared(term, relation.mirrored, to: .value(value, token)), negated)
    case (.value, _):
      throw PredicateFormatError(column: start.column, .expected("a key", found: start.name))
    }
  }

  private static func negated(_ condition: Condition, _ negated: Bool) -> Condition {
    negated ? .not(condition) : condition
  }

  private mutating func comparator() throws(PredicateFormatError) -> Operator {
    let (sign, next) = (token, token(after: 1))
    let known: [(String, Operator)] = [
      ("=", .relation(.equal, negated: false)), ("==", .relation(.equal, negated: false)),
      ("!=", .relation(.equal, negated: true)), ("<>", .relation(.equal, negated: true)),
      ("<", .relation(.less, negated: false)), (">", .relation(.greater, negated: false)),
      ("<=", .relation(.atMost, negated: false)), ("=<", .relation(.atMost, negated: false)),
      (">=", .relation(.atLeast, negated: false)), ("=>", .relation(.atLeast, negated: false)),
      ("BEGINSWITH", .text(.beginning)), ("ENDSWITH", .text(.end)),
      ("CONTAINS", .text(.anywhere)), ("LIKE", .text(.like)),
      ("IN", .among), ("BETWEEN", .between),
    ]
    if let (_, found) = known.first(where: { sign.isCalled($0.0) }) {
      advance()
      return found
    }
    if sign.isCalled("MATCHES") {
      throw PredicateFormatError(column: sign.column, .unsupported("MATCHES"))
    }
    if sign.isCalled("("), case .word = next.content {
      throw PredicateFormatError(column: sign.column, .unsupported("a function"))
    }
    throw expected("a comparison")
  }

  private mutating func textOptions() throws(PredicateFormatError) -> TextOptions? {
    guard take("[") else { return nil }
    guard case .word(let letters) = token.content,
      letters.lowercased().allSatisfy({ "cdl".contains($0) })
    else { throw expected("c, d or cd") }
    advance()
    try require("]")
    var options: TextOptions = []
    if letters.lowercased().contains(where: { $0 == "c" || $0 == "l" }) {
      options.insert(.caseInsensitive)
    }
    if letters.lowercased().contains(where: { $0 == "d" || $0 == "l" }) {
      options.insert(.diacriticInsensitive)
    }
    return options
  }

  private func compared(
    _ term: Condition.Term, _ relation: Condition.Relation, to right: Side
  ) throws(PredicateFormatError) -> Condition {
    switch right {
    case .value(.null, let token):
      guard relation == .equal, term.mask == nil else {
        throw PredicateFormatError(column: token.column, .unsupported("nil but with = and !="))
      }
      return .isNil(term.key)
    case .value(let value, let token):
      let (key, value) = try comparable(value, with: term.key, at: token)
      return .compare(.init(key: key, mask: term.mask), relation, .value(value))
    case .any: throw PredicateFormatError(column: token.column, .unsupported("ANY here"))
    case .term(let other):
      guard other.mask == nil, other.key.kind == term.key.kind else {
        throw PredicateFormatError(
          column: token.column,
          .wrongKind(
            key: term.key.name, kind: term.key.kind.rawValue, found: other.key.name))
      }
      return .compare(term, relation, .key(other.key))
    }
  }

  private mutating func among(
    _ term: Condition.Term, _ start: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    guard term.mask == nil else {
      throw PredicateFormatError(column: start.column, .unsupported("IN for bits"))
    }
    var values: [FetchKey: [DatabaseValue]] = [term.key: []]
    for (value, token) in try list() {
      let (key, value) = try comparable(value, with: term.key, at: token)
      if value != .null { values[key, default: []].append(value) }
    }
    // Dates with an offset and dates without one are compared with different keys.
    let sets = values.filter { !$0.value.isEmpty || values.count == 1 }
      .sorted { $0.key.name < $1.key.name }.map { Condition.among($0.key, $0.value) }
    return sets.count == 1 ? sets[0] : .any(sets)
  }

  private mutating func between(
    _ term: Condition.Term, _ start: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    let column = token.column
    let values = try list()
    guard values.count == 2, term.mask == nil else {
      throw PredicateFormatError(
        column: column, .expected("a list of two values", found: "one of \(values.count)"))
    }
    var bounds: [Condition] = []
    for ((value, token), relation) in zip(values, [Condition.Relation.atLeast, .atMost]) {
      guard value != .null else {
        throw PredicateFormatError(column: token.column, .unsupported("nil in BETWEEN"))
      }
      let (key, value) = try comparable(value, with: term.key, at: token)
      bounds.append(.compare(.init(key: key), relation, .value(value)))
    }
    return .all(bounds)
  }

  private mutating func text(
    _ term: Condition.Term, _ place: TextMatch.Place, options: TextOptions,
    at start: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    if term.key.kind == .keywords {
      let token = token
      guard place == .anywhere, case .value(let value, _) = try side() else {
        throw PredicateFormatError(
          column: start.column, .unsupported("this comparison of a list without ANY before it"))
      }
      return try keyword(of: term.key, .whole, value, options: options, at: token)
    }
    guard term.key.kind == .text, term.mask == nil else {
      throw PredicateFormatError(
        column: start.column,
        .wrongKind(key: term.key.name, kind: term.key.kind.rawValue, found: "a part of a text"))
    }
    guard case .value(.text(let text), _) = try side() else { throw expected("a text") }
    return .text(term.key, TextMatch(place, text, options: options))
  }

  /// Reads the right side of a comparison with `ANY keywords`.
  private mutating func anyKeyword(
    of key: FetchKey, _ found: Operator, options: TextOptions, at sign: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    let start = token
    switch found {
    case .among:
      var parts: [Condition] = []
      for (value, token) in try list() {
        parts.append(try keyword(of: key, .whole, value, options: options, at: token))
      }
      return .any(parts)
    case .relation(.equal, negated: false), .text:
      guard case .value(let value, _) = try side() else { throw expected("a text") }
      let place = if case .text(let place) = found { place } else { TextMatch.Place.whole }
      return try keyword(of: key, place, value, options: options, at: start)
    case .relation, .between:
      throw PredicateFormatError(column: sign.column, .unsupported("\(sign.name) behind ANY"))
    }
  }

  private func keyword(
    of key: FetchKey, _ place: TextMatch.Place, _ value: FetchValue, options: TextOptions,
    at token: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    guard case .text(let text) = value else {
      throw PredicateFormatError(column: token.column, .expected("a text", found: token.name))
    }
    guard let match = TextMatch(keyword: place, text, options: options) else {
      throw PredicateFormatError(column: token.column, .unsupported("LIKE for a list of texts"))
    }
    return .text(key, match)
  }
}
