import SafelightCSQLite

extension Database {
  /// Teaches a connection `foldedText(name)`, which makes of a name's bytes what the index of names
  /// has of it.
  func addTextFolding() throws(DatabaseError) {
    let code = sqlite3_create_function_v2(
      connection, "foldedText", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        let start = sqlite3_value_blob(values?[0])
        let name = UnsafeRawBufferPointer(
          start: start, count: Int(sqlite3_value_bytes(values?[0])))
        // Names of files are ASCII almost always; making a String of each costs ten times as much.
        let folded =
          name.allSatisfy { $0 < 0x80 }
          ? name.map { (65...90).contains($0) ? $0 + 32 : $0 }
          : Array(TextFolding.searchable(String(decoding: name, as: UTF8.self)).utf8)
        safelight_result_text(context, folded, Int32(folded.count))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(connection) }
  }
}
