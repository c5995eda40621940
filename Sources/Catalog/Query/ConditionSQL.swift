/// A piece of SQL with the values of its question marks, in their order.
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

  /// Pieces with a word between them, in a balanced tree of parentheses: SQLite limits how deep an
  /// expression may be.
  static func joined(_ pieces: some Collection<SQLText>, by word: String) -> SQLText {
    guard pieces.count > 1 else { return pieces.first ?? SQLText("") }
    let middle = pieces.index(pieces.startIndex, offsetBy: pieces.count / 2)
    let (first, second) = (
      joined(pieces[..<middle], by: word), joined(pieces[middle...], by: word)
    )
    return SQLText("(\(first.text)) \(word) (\(second.text))", first.values + second.values)
  }

  /// Queries one after another, with `UNION` or `UNION ALL` between them.
  static func union(_ queries: [SQLText], by word: String) -> SQLText {
    SQLText(queries.map(\.text).joined(separator: " \(word) "), queries.flatMap(\.values))
  }

  /// Values as a JSON list, which `json_each` makes into rows: a list of any length is one question mark.
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
  /// The condition as SQL over the table `asset`. Values are bound, except truth values and bits, by which
  /// SQLite chooses indexes.
  package var sql: SQLText {
    switch self {
    case .all(let parts):
      parts.isEmpty ? SQLText("1") : .joined(parts.map(\.sql), by: "AND")
    case .any(let parts):
      parts.isEmpty ? SQLText("0") : .joined(parts.map(\.sql), by: "OR")
    case .not(.isNil(let key)): SQLText("\(key.sql) IS NOT NULL")
    case .not(let part):
      // A missing value makes a comparison NULL, which is not true either.
      SQLText("(\(part.sql.text)) IS NOT TRUE", part.sql.values)
    case .isNil(let key): SQLText("\(key.sql) IS NULL")
    case .among(let key, let values):
      SQLText("\(key.sql) IN (SELECT value FROM json_each(?))", [SQLText.list(values)])
    case .compare(let term, let relation, let operand): Self.sql(term, relation, operand)
    case .text(let key, let match): Self.sql(key, match)
    }
  }

  private static func sql(_ term: Term, _ relation: Relation, _ operand: Operand) -> SQLText {
    var left = term.key.sql
    // The text must be the one of the partial indexes: then SQLite uses them and does not check each row.
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

  /// The first bytes that come after all bytes with a beginning; `nil` when no bytes do.
  private static func successor(of bytes: [UInt8]) -> [UInt8]? {
    guard let last = bytes.lastIndex(where: { $0 < 0xFF }) else { return nil }
    return bytes[..<last] + [bytes[last] + 1]
  }
}
