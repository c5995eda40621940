import SafelightCSQLite

extension Database {
  /// Adds the SQL function `foldedText(name)`, which folds the bytes of a name for the index of names.
  func addTextFolding() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "foldedText", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        let start = sqlite3_value_blob(values?[0])
        let name = UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_value_bytes(values?[0])))
        // Almost all names are ASCII. A String of each would cost ten times as much.
        let folded =
          name.allSatisfy { $0 < 0x80 }
          ? name.map { (65...90).contains($0) ? $0 + 32 : $0 }
          : Array(TextFolding.searchable(String(decoding: name, as: UTF8.self)).utf8)
        safelight_result_text(context, folded, Int32(folded.count))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }

  /// Adds the SQL function `textMatches(text, place, pattern, ignoresCase, ignoresAccents)`.
  ///
  /// The pattern must be folded. Texts and blobs are compared; other values never match.
  package func addTextMatches() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "textMatches", 5, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, values in
        guard let values, sqlite3_value_type(values[0]) != SQLITE_NULL,
          let match = TextMatcher.kept(context, values)
        else { return sqlite3_result_int(context, 0) }
        sqlite3_result_int(context, match.matches(bytes(values[0])) ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }
}

/// A text's bytes, valid for the duration of the call.
private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
  // The bytes must be read first: SQLite knows their length only after that.
  let start = sqlite3_value_blob(value)
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

/// The pattern of a `textMatches` call, which is used for all rows.
private final class TextMatcher {
  private let match: TextMatch
  private let pattern: [UInt8]
  private let isASCII: Bool

  init(_ match: TextMatch) {
    self.match = match
    pattern = Array(match.pattern.utf8)
    isASCII = pattern.allSatisfy { $0 < 0x80 }
  }

  /// The pattern of a call. The first row makes it; SQLite releases it with the statement.
  static func kept(
    _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>
  ) -> TextMatcher? {
    if let kept = sqlite3_get_auxdata(context, 2) {
      return Unmanaged<TextMatcher>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let place = TextMatch.Place(rawValue: sqlite3_value_int64(values[1])) else { return nil }
    let matcher = TextMatcher(
      TextMatch(
        folded: String(decoding: bytes(values[2]), as: UTF8.self), place,
        ignoresCase: sqlite3_value_int(values[3]) != 0,
        ignoresAccents: sqlite3_value_int(values[4]) != 0))
    sqlite3_set_auxdata(context, 2, Unmanaged.passRetained(matcher).toOpaque()) {
      Unmanaged<TextMatcher>.fromOpaque($0!).release()
    }
    // When SQLite has no memory it releases the pattern at once, but this call still holds it.
    return matcher
  }

  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    // Almost all names are ASCII. A String of each would cost ten times as much.
    guard match.place != .like, text.allSatisfy({ $0 < 0x80 }) else {
      return match.matches(String(decoding: text, as: UTF8.self))
    }
    guard isASCII, text.count >= pattern.count else { return false }
    let last = text.count - pattern.count
    return switch match.place {
    case .whole: last == 0 && isFound(in: text, at: 0)
    case .beginning: isFound(in: text, at: 0)
    case .end: isFound(in: text, at: last)
    case .anywhere, .like: (0...last).contains { isFound(in: text, at: $0) }
    }
  }

  private func isFound(in text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for (offset, wanted) in pattern.enumerated() {
      var byte = text[start + offset]
      if match.ignoresCase, (65...90).contains(byte) { byte += 32 }
      if byte != wanted { return false }
    }
    return true
  }
}
