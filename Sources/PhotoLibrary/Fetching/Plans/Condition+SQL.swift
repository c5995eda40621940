extension Condition {
  /// The condition as SQL over the table `asset`. Values are bound; only truth values and bits,
  /// which decide on indexes, stand in the text.
  var sql: SQLText {
    switch self {
    case .all(let parts):
      parts.isEmpty ? SQLText("1") : .joined(parts.map(\.sql), by: "AND")
    case .any(let parts):
      parts.isEmpty ? SQLText("0") : .joined(parts.map(\.sql), by: "OR")
    case .not(.isNil(let key)): SQLText("\(key.column) IS NOT NULL")
    case .not(let part):
      // A missing value makes a comparison NULL, which is not true either.
      SQLText("(\(part.sql.text)) IS NOT TRUE", part.sql.values)
    case .isNil(let key): SQLText("\(key.column) IS NULL")
    case .among(let key, let values):
      SQLText("\(key.column) IN (SELECT value FROM json_each(?))", [SQLText.list(values)])
    case .compare(let term, let relation, let operand): Self.sql(term, relation, operand)
    case .text(let key, let match): Self.sql(key, match)
    }
  }

  private static func sql(_ term: Term, _ relation: Relation, _ operand: Operand) -> SQLText {
    var left = term.key.column
    // What indexes of some of the assets are made by must read as it does there: SQLite then takes
    // it for granted in place of looking at every row.
    if let mask = term.mask, mask.nonzeroBitCount == 1, relation == .equal,
      operand == .value(.integer(mask))
    {
      return SQLText("\(left) & \(mask) <> 0")
    }
    if let mask = term.mask { left = "\(left) & \(mask)" }
    switch operand {
    case .key(let other): return SQLText("\(left) \(relation.rawValue) \(other.column)")
    case .value(.truth(let truth)):
      if term.key == .hasAdjustments, relation == .equal {
        return SQLText("asset.adjustmentFormat IS \(truth ? "NOT NULL" : "NULL")")
      }
      return SQLText("\(left) \(relation.rawValue) \(truth ? 1 : 0)")
    case .value(.text(let text)) where term.key == .filename:
      // Names are bytes; their order is the same as that of the text.
      return SQLText("asset.name \(relation.rawValue) ?", [.blob(Array(text.utf8))])
    case .value(let value):
      return SQLText("\(left) \(relation.rawValue) ?", [value.databaseValue])
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

  /// The first bytes that come after all that begin with some; `nil` when there are none.
  private static func successor(of bytes: [UInt8]) -> [UInt8]? {
    guard let last = bytes.lastIndex(where: { $0 < 0xFF }) else { return nil }
    return bytes[..<last] + [bytes[last] + 1]
  }
}

extension FetchKey {
  /// The key's value, of the storage class of its kind.
  var column: String {
    switch self {
    case .localIdentifier: "asset.identifier"
    case .mediaType: "\(AssetMediaType.image.rawValue)"
    case .duration: "0.0"
    case .hasAdjustments: "(asset.adjustmentFormat IS NOT NULL)"
    case .adjustmentFormatIdentifier: "asset.adjustmentFormat"
    case .filename, .path: "CAST(\(bytes) AS TEXT)"
    case .title, .estimatedAssetCount: preconditionFailure("\(rawValue) is no key of assets")
    default: "asset.\(rawValue)"
    }
  }

  /// The key's value as text or bytes, whichever is at hand.
  fileprivate var bytes: String {
    switch self {
    case .filename: "asset.name"
    case .path:
      """
      ((SELECT rtrim(CAST(folder.path AS TEXT), '/') FROM folder WHERE folder.id = asset.folder) \
      || '/' || CAST(asset.name AS TEXT))
      """
    default: column
    }
  }

  /// Whether all photos have the same value.
  var isConstant: Bool { self == .mediaType || self == .duration }

  /// What SQLite sorts by for this key.
  var orderColumn: String { self == .filename ? "asset.name" : column }
}
