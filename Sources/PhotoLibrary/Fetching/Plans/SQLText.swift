/// A piece of SQL with the values of its question marks, in their order.
struct SQLText: Sendable, Hashable {
  var text: String
  var values: [DatabaseValue] = []

  init(_ text: String, _ values: [DatabaseValue] = []) {
    self.text = text
    self.values = values
  }

  static func += (text: inout SQLText, other: SQLText) {
    text.text += other.text
    text.values += other.values
  }

  static func += (text: inout SQLText, other: String) { text.text += other }

  /// Pieces with a word between them; halved again and again, as SQLite bounds how deep an
  /// expression is.
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

  /// Values as one JSON list, which `json_each` makes into rows: any number of them is one
  /// question mark.
  static func list(_ values: [FetchValue]) -> DatabaseValue {
    var json = "["
    for value in values {
      if json.utf8.count > 1 { json += "," }
      switch value.databaseValue {
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

extension DatabaseValue: DatabaseConvertible {
  var databaseValue: DatabaseValue { self }
  init?(_ value: DatabaseValue) { self = value }
}
