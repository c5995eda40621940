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
