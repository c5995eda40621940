import PhotoEditing

extension Database {
  /// What changed behind a number, oldest first.
  func unexported(
    after sequence: Int64
  ) throws(DatabaseError) -> [(sequence: Int64, key: ExportKey)] {
    try rows(
      "SELECT sequence, kind, key, number, second FROM unexported WHERE sequence > ? ORDER BY 1",
      [sequence]
    ) { row -> (sequence: Int64, key: ExportKey)? in
      guard let kind = ExportKey.Kind(rawValue: row[1]) else { return nil }
      let key: [UInt8] =
        switch row.value(2) {
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .null, .integer, .real: []
        }
      return (row[0], ExportKey(kind: kind, key: key, number: row[3], second: row[4]))
    }.compactMap(\.self)
  }

  /// The number of the last change that there was, written to the journal or not.
  func lastExportSequence() throws(DatabaseError) -> Int64 {
    try value("SELECT seq FROM sqlite_sequence WHERE name = 'unexported'") ?? 0
  }

  /// Forgets changes that were written to the journal long ago, a few with each change set, so that
  /// none takes long.
  func forgetExported() throws(DatabaseError) {
    // The newest stay: their lines may not have been written yet, if another process was killed.
    try run(
      """
      DELETE FROM unexported WHERE sequence IN (
        SELECT sequence FROM unexported
        WHERE sequence < (SELECT max(sequence) FROM unexported) - 100000 LIMIT 1000)
      """)
  }
}
