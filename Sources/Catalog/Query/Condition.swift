/// The condition for an object to be fetched. Typed predicates and predicates in text both become this tree.
///
/// A condition is true or false, never unknown: a comparison with a missing value is false, and `not` makes it
/// true. Values have the key's kind and are not null; dates are seconds since 1970 UTC, truth values are 0 and
/// 1.
package indirect enum Condition: Sendable, Hashable {
  /// All parts are true; an empty list is true.
  case all([Condition])
  /// At least one part is true; an empty list is false.
  case any([Condition])
  case not(Condition)
  case compare(Term, Relation, Operand)
  case isNil(FetchKey)
  case among(FetchKey, [DatabaseValue])
  case text(FetchKey, TextMatch)

  /// The left side of a comparison.
  package struct Term: Sendable, Hashable {
    package let key: FetchKey
    /// The bits that are compared; `nil` compares the whole value.
    package var mask: Int64?

    package init(key: FetchKey, mask: Int64? = nil) { (self.key, self.mask) = (key, mask) }
  }

  /// The right side of a comparison.
  package enum Operand: Sendable, Hashable {
    case value(DatabaseValue)
    case key(FetchKey)

    var isOptional: Bool { if case .key(let key) = self { key.isOptional } else { false } }
  }

  /// The relation of two sides; `!=` is `not` of `equal`.
  package enum Relation: String, Sendable, Hashable {
    case equal = "="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    /// The relation that is true exactly when this one is false; `nil` for `equal`.
    var opposite: Relation? {
      switch self {
      case .equal: nil
      case .less: .atLeast
      case .atMost: .greater
      case .greater: .atMost
      case .atLeast: .less
      }
    }

    /// The same relation with its sides exchanged.
    package var mirrored: Relation {
      switch self {
      case .equal: .equal
      case .less: .greater
      case .atMost: .atLeast
      case .greater: .less
      case .atLeast: .atMost
      }
    }

    func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool {
      switch self {
      case .equal: first == second
      case .less: first < second
      case .atMost: first <= second
      case .greater: first > second
      case .atLeast: first >= second
      }
    }
  }

  package static let always = Condition.all([])
  package static let never = Condition.any([])

  /// Whether a key of truth values is true.
  package static func truth(_ key: FetchKey) -> Condition {
    .compare(Term(key: key), .equal, .value(.integer(1)))
  }

  /// Whether all these bits are set in a key's value.
  package static func bits(_ bits: Int64, of key: FetchKey) -> Condition {
    .compare(Term(key: key, mask: bits), .equal, .value(.integer(bits)))
  }

  /// The conditions without parts in the condition, such as comparisons.
  var leaves: [Condition] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
    case .not(let part): part.leaves
    case .compare, .isNil, .among, .text: [self]
    }
  }

  /// All keys in the condition.
  package var keys: Set<FetchKey> {
    leaves.reduce(into: []) { keys, leaf in
      switch leaf {
      case .compare(let term, _, .key(let other)): keys.formUnion([term.key, other])
      case .compare(let term, _, .value): keys.insert(term.key)
      case .isNil(let key), .among(let key, _), .text(let key, _): keys.insert(key)
      case .all, .any, .not: break
      }
    }
  }
}

extension Condition {
  /// Seconds; every time zone is nearer to UTC.
  package static let largestOffset = 86_400.0

  /// Bounds of the creation date that follow from a bound of the date on the camera's clock, and the other way
  /// round, so that an index of either can find the assets.
  var implied: [Condition] {
    guard case .compare(let term, let relation, .value(let value)) = self,
      term.key == .localDate || term.key == .creationDate, let seconds = Double(value)
    else { return [] }
    let key = Term(key: term.key == .localDate ? .creationDate : .localDate)
    let first = Condition.compare(
      key, .atLeast, .value(.real(seconds - Self.largestOffset)))
    let last = Condition.compare(key, .atMost, .value(.real(seconds + Self.largestOffset)))
    return switch relation {
    case .equal: [first, last]
    case .less, .atMost: [last]
    case .greater, .atLeast: [first]
    }
  }
}

// MARK: - For objects in memory

/// An object that has values for keys.
package protocol FetchSubject {
  func value(of key: FetchKey) -> DatabaseValue
}

extension Condition {
  /// Whether the condition is true for an object in memory.
  package func holds(for subject: some FetchSubject) -> Bool {
    switch self {
    case .all(let parts): return parts.allSatisfy { $0.holds(for: subject) }
    case .any(let parts): return parts.contains { $0.holds(for: subject) }
    case .not(let part): return !part.holds(for: subject)
    case .compare(let term, let relation, let operand):
      var value = subject.value(of: term.key)
      if let mask = term.mask, case .integer(let number) = value { value = .integer(number & mask) }
      let other =
        switch operand {
        case .value(let value): value
        case .key(let key): subject.value(of: key)
        }
      return value.ordered(with: other).map { relation.holds($0, 0) } ?? false
    case .isNil(let key): return subject.value(of: key) == .null
    case .among(let key, let values):
      return values.contains { subject.value(of: key).ordered(with: $0) == 0 }
    case .text(let key, let match):
      if case .text(let text) = subject.value(of: key) { return match.matches(text) }
      return false
    }
  }
}

extension DatabaseValue {
  /// -1, 0 or 1 when SQLite sorts the value before another, with it or after it; `nil` when one of the two is
  /// missing or they have different kinds.
  package func ordered(with other: DatabaseValue) -> Int? {
    func ordered<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
      first < second ? -1 : first == second ? 0 : 1
    }
    return switch (self, other) {
    case (.text(let first), .text(let second)):
      // SQLite compares bytes, too.
      first.utf8.elementsEqual(second.utf8)
        ? 0 : first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
    case (.integer(let first), .integer(let second)): ordered(first, second)
    default:
      if let first = Double(self), let second = Double(other) {
        ordered(first, second)
      } else {
        nil
      }
    }
  }
}

// MARK: - Simplifying

extension Condition {
  /// The same condition in the form in which the plan recognizes indexes and counters: `not` is only before
  /// single comparisons, parts that are always or never true are gone, and no list contains a list of its own
  /// kind.
  package var simplified: Condition { simplified(negated: false) }

  private func simplified(negated: Bool) -> Condition {
    switch self {
    case .not(let part): return part.simplified(negated: !negated)
    case .all(let parts), .any(let parts):
      let meansAll = if case .all = self { !negated } else { negated }
      return Self.joined(parts.map { $0.simplified(negated: negated) }, all: meansAll)
    case .compare(let term, let relation, let operand):
      if let known = constant(of: term, relation, operand) {
        return known != negated ? .always : .never
      }
      if term.key.kind == .truth, case .value(.integer(let truth)) = operand, relation == .equal {
        return .compare(term, .equal, .value(.integer(negated ? 1 - truth : truth)))
      }
      if let mask = term.mask, mask.nonzeroBitCount == 1, negated, relation == .equal,
        case .value(.integer(let bits)) = operand, bits & ~mask == 0
      {
        return .compare(term, .equal, .value(.integer(mask ^ bits)))
      }
      if case .key(let other) = operand, term.mask == nil, [.less, .atMost].contains(relation) {
        return Condition.compare(Term(key: other), relation.mirrored, .key(term.key))
          .simplified(negated: negated)
      }
      guard negated else { return self }
      if let opposite = relation.opposite, !term.key.isOptional, !operand.isOptional {
        return .compare(term, opposite, operand)
      }
      return .not(self)
    case .isNil(let key) where !key.isOptional: return negated ? .always : .never
    case .among(_, let values) where values.isEmpty: return negated ? .always : .never
    case .isNil, .among, .text: return negated ? .not(self) : self
    }
  }

  private static func joined(_ parts: [Condition], all: Bool) -> Condition {
    var kept: [Condition] = []
    for part in parts {
      switch part {
      case .all(let inner) where all: kept += inner
      case .any(let inner) where !all: kept += inner
      case .any(let inner) where inner.isEmpty: return .never
      case .all(let inner) where inner.isEmpty: return .always
      default: kept.append(part)
      }
    }
    return kept.count == 1 ? kept[0] : all ? .all(kept) : .any(kept)
  }

  /// The result of a comparison with a key that has the same value for all assets; `nil` for other keys.
  private func constant(of term: Term, _ relation: Relation, _ operand: Operand) -> Bool? {
    guard var own = term.key.constant, case .value(let value) = operand,
      let other = Double(value)
    else { return nil }
    if let mask = term.mask { own = Double(Int64(own) & mask) }
    return relation.holds(own, other)
  }
}

/// A part of an SQL statement, with the values of its question marks in their order.
package struct SQLText: Sendable, Hashable {
  package private(set) var text: String
  package private(set) var values: [DatabaseValue]

  package init(_ text: String, _ values: [DatabaseValue] = []) {
    self.text = text
    self.values = values
  }

  static func += (text: inout SQLText, other: SQLText) {
    text.text += other.text
    text.values += other.values
  }

  static func += (text: inout SQLText, other: String) { text.text += other }

  /// Parts with a word between them, in a balanced tree of parentheses, because SQLite limits the depth of an
  /// expression.
  static func joined(_ pieces: some Collection<SQLText>, by word: String) -> SQLText {
    guard pieces.count > 1 else { return pieces.first ?? SQLText("") }
    let middle = pieces.index(pieces.startIndex, offsetBy: pieces.count / 2)
    let (first, second) = (
      joined(pieces[..<middle], by: word), joined(pieces[middle...], by: word)
    )
    return SQLText("(\(first.text)) \(word) (\(second.text))", first.values + second.values)
  }

  /// Queries with `UNION` or `UNION ALL` between them.
  static func union(_ queries: [SQLText], by word: String) -> SQLText {
    SQLText(queries.map(\.text).joined(separator: " \(word) "), queries.flatMap(\.values))
  }

  /// Values as a JSON list for one question mark; `json_each` makes rows of it.
  package static func list(_ values: [DatabaseValue]) -> DatabaseValue {
    var json = "["
    for value in values {
      if json.utf8.count > 1 { json += "," }
      switch value {
      case .integer(let number): json += String(number)
      case .real(let number): json += String(number)
      case .text(let text): json += quoted(text)
      case .null, .blob: json += "null"
      }
    }
    return .text(json + "]")
  }

  private static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}

extension Condition {
  /// The condition as SQL over the table `asset`. Values are bound, except truth values and bits: SQLite must
  /// see them to choose an index.
  package var sql: SQLText {
    switch self {
    case .all(let parts):
      parts.isEmpty ? SQLText("1") : .joined(parts.map(\.sql), by: "AND")
    case .any(let parts):
      parts.isEmpty ? SQLText("0") : .joined(parts.map(\.sql), by: "OR")
    case .not(.isNil(let key)): SQLText("\(key.sql) IS NOT NULL")
    case .not(let part):
      // A comparison with a missing value is NULL, and NULL IS NOT TRUE is true.
      SQLText("(\(part.sql.text)) IS NOT TRUE", part.sql.values)
    case .isNil(let key): SQLText("\(key.sql) IS NULL")
    case .among(let key, let values):
      SQLText("\(key.sql) IN (SELECT value FROM json_each(?))", [SQLText.list(values)])
    case .compare(let term, let relation, let operand): Self.sql(comparing: term, relation, operand)
    case .text(let key, let match): Self.sql(key, match)
    }
  }

  private static func sql(comparing term: Term, _ relation: Relation, _ operand: Operand) -> SQLText
  {
    var left = term.key.sql
    // With the same text as the partial index, SQLite uses the index and does not check each row.
    if let mask = term.mask, mask.nonzeroBitCount == 1, relation == .equal,
      operand == .value(.integer(mask))
    {
      return SQLText("\(left) & \(mask) <> 0")
    }
    if let mask = term.mask { left = "\(left) & \(mask)" }
    switch operand {
    case .key(let other): return SQLText("\(left) \(relation.rawValue) \(other.sql)")
    case .value(.integer(let truth)) where term.key.kind == .truth:
      if term.key == .hasAdjustments, relation == .equal {
        return SQLText("asset.adjustmentFormat IS \(truth == 1 ? "NOT NULL" : "NULL")")
      }
      return SQLText("\(left) \(relation.rawValue) \(truth)")
    case .value(.text(let text)) where term.key == .filename:
      // Names are bytes, which have the same order as texts.
      return SQLText("asset.name \(relation.rawValue) ?", [.blob(Array(text.utf8))])
    case .value(let value):
      return SQLText("\(left) \(relation.rawValue) ?", [value])
    }
  }

  private static func sql(_ key: FetchKey, _ match: TextMatch) -> SQLText {
    if key == .filename, match.isPrefix,
      let next = Self.successor(of: Array(match.pattern.utf8))
    {
      return SQLText(
        "asset.name >= ? AND asset.name < ?", [.blob(Array(match.pattern.utf8)), .blob(next)])
    }
    return SQLText(
      "textMatches(\(key.bytes), ?, ?, ?, ?)",
      [
        .integer(match.place.rawValue), .text(match.pattern),
        match.ignoresCase.databaseValue, match.ignoresAccents.databaseValue,
      ])
  }

  /// The smallest bytes that are sorted after all bytes with this beginning; `nil` when there are none.
  private static func successor(of bytes: [UInt8]) -> [UInt8]? {
    guard let last = bytes.lastIndex(where: { $0 < 0xFF }) else { return nil }
    return bytes[..<last] + [bytes[last] + 1]
  }
}
