extension PredicateParser {
  /// One side of a comparison, before it is known what the other one is.
  enum Side {
    case term(Condition.Term)
    case value(FetchValue, PredicateToken)
  }

  /// What stands between two sides.
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
      return try text(term, place, options ?? [], start)
    case (.term(let term), .relation(let relation, let negated)):
      let right = try side()
      if let options {
        guard relation == .equal, case .value(let value, let token) = right,
          case .text(let text) = value, term.key.kind == .text
        else { throw PredicateFormatError(column: sign.column, .unsupported("[c] or [d] here")) }
        _ = token
        return Self.negated(.text(term.key, TextMatch(.whole, text, options)), negated)
      }
      return Self.negated(try compared(term, relation, right), negated)
    case (.value(let value, let token), .relation(let relation, let negated)):
      guard case .term(let term) = try side() else {
        throw PredicateFormatError(column: start.column, .expected("a key", found: start.name))
      }
      return Self.negated(
        try compared(term, relation.mirrored, .value(value, token)), negated)
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
    _ term: Condition.Term, _ relation: Condition.Relation, _ right: Side
  ) throws(PredicateFormatError) -> Condition {
    switch right {
    case .value(.null, let token):
      guard relation == .equal, term.mask == nil else {
        throw PredicateFormatError(column: token.column, .unsupported("nil but with = and !="))
      }
      return .isNil(term.key)
    case .value(let value, let token):
      return .compare(term, relation, .value(try converted(value, token, to: term.key)))
    case .term(let other):
      guard other.mask == nil, other.key.kind == term.key.kind else {
        throw PredicateFormatError(
          column: token.column,
          .wrongKind(
            key: term.key.rawValue, kind: term.key.kind.rawValue, found: other.key.rawValue))
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
    var values: [FetchValue] = []
    for (value, token) in try list() { values.append(try converted(value, token, to: term.key)) }
    return .among(term.key, values.filter { $0 != .null })
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
    var bounds: [FetchValue] = []
    for (value, token) in values {
      guard value != .null else {
        throw PredicateFormatError(column: token.column, .unsupported("nil in BETWEEN"))
      }
      bounds.append(try converted(value, token, to: term.key))
    }
    return .all([
      .compare(term, .atLeast, .value(bounds[0])), .compare(term, .atMost, .value(bounds[1])),
    ])
  }

  private mutating func text(
    _ term: Condition.Term, _ place: TextMatch.Place, _ options: TextOptions,
    _ start: PredicateToken
  ) throws(PredicateFormatError) -> Condition {
    guard term.key.kind == .text, term.mask == nil else {
      throw PredicateFormatError(
        column: start.column,
        .wrongKind(key: term.key.rawValue, kind: term.key.kind.rawValue, found: "a part of a text"))
    }
    guard case .value(.text(let text), _) = try side() else { throw expected("a text") }
    return .text(term.key, TextMatch(place, text, options))
  }
}

extension TextMatch {
  init(_ place: Place, _ pattern: String, _ options: TextOptions) {
    self.init(
      place, pattern, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
  }
}
