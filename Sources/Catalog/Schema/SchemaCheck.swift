extension Schema {
  /// Throws when the tables, indexes and triggers are not those that the finished migrations make. Whoever
  /// tampers with a file could otherwise give it a trigger that acts when a writer writes.
  static func check(_ database: Database) throws {
    let (done, present) = try database.transaction(immediately: false) {
      (try migrations.done(in: database), try Parts(of: database))
    }
    let expected = try done == newest.done ? newest.parts.get() : parts(after: done)
    if let difference = present.difference(from: expected) {
      throw DatabaseError.damaged(difference)
    }
  }

  private static let newest = {
    let done = migrations.list.flatMap(\.names)
    return (
      done: done.sorted(), parts: Result { () throws(DatabaseError) in try parts(after: done) }
    )
  }()

  /// The schema that some migrations make in a new catalog.
  private static func parts(after done: [String]) throws(DatabaseError) -> Parts {
    let database = try Database(":memory:", .create)
    if !done.isEmpty { try database.run(script: Migrations.table) }
    for migration in migrations.list where done.contains(migration.names[0]) {
      try database.run(script: migration.script)
    }
    return try Parts(of: database)
  }

  /// The tables, indexes and triggers of a file, with the words that made them.
  private struct Parts {
    private var texts: [String: [UInt8]] = [:]

    init(of database: Database) throws(DatabaseError) {
      let rows = try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") {
        (row: Row) -> (String, [UInt8]) in
        let text: String? = row[3]
        return (
          "\(row[0] as String) “\(row[1] as String)” of “\(row[2] as String)”",
          Self.words(text ?? "")
        )
      }
      for (name, text) in rows {
        guard texts.updateValue(text, forKey: name) == nil else {
          throw .damaged("it has the \(name) twice")
        }
      }
    }

    /// Says what is different; `nil` when nothing is.
    func difference(from expected: Parts) -> String? {
      // SQLite makes these when somebody lets it count the rows of indexes.
      let own = texts.filter { !$0.key.hasPrefix("table “sqlite_stat") }
      if let strange = own.keys.filter({ expected.texts[$0] == nil }).min() {
        return "it has the \(strange), which is not Safelight's"
      }
      if let missing = expected.texts.keys.filter({ texts[$0] == nil }).min() {
        return "it does not have the \(missing)"
      }
      // Another SQLite may have other words for its own tables of the index.
      let changed = own.filter { name, text in
        expected.texts[name] != text && !name.hasPrefix("table “nameIndex_")
      }.keys.min()
      return changed.map { "its \($0) was changed" }
    }

    /// A text without comments, and with one space between words and signs.
    private static func words(_ text: String) -> [UInt8] {
      var words: [UInt8] = []
      var rest = Array(text.utf8)[...]
      func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte)
          || (97...122).contains(byte | 0x20)
      }
      while let byte = rest.first {
        let end: Int
        switch byte {
        case 9...13, 32:
          rest.removeFirst()
          continue
        case UInt8(ascii: "-") where rest.dropFirst().first == byte:
          rest = rest.drop { $0 != 10 }
          continue
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
          end = rest.dropFirst().firstIndex(of: byte).map { $0 + 1 } ?? rest.endIndex
        case _ where isWord(byte): end = rest.firstIndex { !isWord($0) } ?? rest.endIndex
        default: end = rest.startIndex + 1
        }
        words += rest[..<end] + [32]
        rest = rest[end...]
      }
      return words
    }
  }
}
