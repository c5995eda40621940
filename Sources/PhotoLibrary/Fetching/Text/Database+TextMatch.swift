import CSQLite

extension Database {
  /// Teaches a connection `textMatches(text, place, pattern, ignoresCase, ignoresAccents)`.
  ///
  /// The pattern is folded already; texts and blobs are looked at, anything else never matches.
  func addTextMatches() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "textMatches", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let values, let text = string(values[0]), let pattern = string(values[2]),
          let place = TextMatch.Place(rawValue: sqlite3_value_int64(values[1]))
        else { return sqlite3_result_int(context, 0) }
        let match = TextMatch(
          place, pattern, ignoresCase: sqlite3_value_int(values[3]) != 0,
          ignoresAccents: sqlite3_value_int(values[4]) != 0)
        sqlite3_result_int(context, match.matches(text) ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }
}

/// A column's text; `nil` when it has none.
private func string(_ value: OpaquePointer?) -> String? {
  guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
  guard let start = sqlite3_value_blob(value) else { return "" }
  let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  return String(decoding: bytes, as: UTF8.self)
}
