import SafelightCSQLite

/// Why SQLite could not do something. Told by its result codes; the text is for people.
struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's extended result code.
  let code: Int32
  /// SQLite's words.
  let message: String

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  init(_ connection: OpaquePointer?) {
    code = sqlite3_extended_errcode(connection)
    message = String(cString: sqlite3_errmsg(connection))
  }

  private var primary: Int32 { code & 0xff }

  /// Another process holds the catalog longer than was waited for.
  var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  /// The disk is full.
  var isDiskFull: Bool { primary == SQLITE_FULL }
  /// The file is no database, or a damaged one.
  var isDamaged: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
  /// A rule of the schema refused the change.
  var isConstraint: Bool { primary == SQLITE_CONSTRAINT }
}
