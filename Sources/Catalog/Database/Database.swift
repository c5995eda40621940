import Glibc
import SafelightCSQLite
import SafelightFiles

/// One connection to a SQLite file. Only one thread at a time may use it: its owner is an actor or has a lock.
///
/// The connection prepares each statement once and keeps it. So pass values as parameters, and do not write
/// them into the text.
package final class Database {
  /// How a file is opened.
  package enum Mode {
    case create, write, read
    /// Reads the file alone: ignores the log beside it and leaves no new file there.
    case untouched
  }

  package let connection: OpaquePointer
  /// The file.
  package let path: FilePath
  /// The client for which the connection reads, for the objects made of its rows; empty for the owner.
  package let reader: String
  /// Whether the connection reads the file alone and sees no later changes.
  package let isUntouched: Bool
  private var statements: [String: Statement] = [:]

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - patience: How long to wait for other processes, in milliseconds.
  ///   - reader: The identifier of the client for which the connection reads; empty for the owner.
  /// - Throws: ``DatabaseError``.
  package init(
    _ path: FilePath, _ mode: Mode, patience: Int32 = 5000, for reader: String = ""
  ) throws(DatabaseError) {
    (self.path, self.reader, isUntouched) = (path, reader, mode == .untouched)
    let flags =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .write: SQLITE_OPEN_READWRITE
      case .read: SQLITE_OPEN_READONLY
      case .untouched: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    var opened: OpaquePointer?
    let name = mode == .untouched ? Self.untouchedName(path) : path.bytes
    let bytes = name.map { CChar(bitPattern: $0) } + [0]
    let code = sqlite3_open_v2(bytes, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let error = DatabaseError(opened)
      sqlite3_close(opened)
      throw error
    }
    connection = opened
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, patience)
    distrustFile(isWriter: mode == .create || mode == .write)
    guard mode == .create || mode == .write else { return }
    // SQLite opens a file with a log on a read-only disk for reading, without an error.
    if sqlite3_db_readonly(opened, "main") == 1 {
      throw DatabaseError(
        code: SQLITE_READONLY, message: "the file or its disk may not be written to")
    }
    // Triggers of the tables call this function.
    try addTextFolding()
  }

  /// Opens a database to read it, also on a disk that may not be written to: SQLite cannot make the files of its log
  /// there, and the file alone has everything as long as it has no log.
  ///
  /// - Throws: ``DatabaseError``; ``DatabaseError/logOnReadOnlyDisk`` when the log has changes that SQLite cannot read.
  package static func toRead(
    _ path: FilePath, for reader: String = ""
  ) throws(DatabaseError) -> Database {
    do throws(DatabaseError) {
      let database = try Database(path, .read, for: reader)
      // Only the first read opens the log.
      let _: Int? = try database.value("SELECT count(*) FROM sqlite_schema")
      return database
    } catch {
      guard error.isUnopenable, !error.isShortage, path.status != nil,
        !FileSystem.real.mayWrite(in: path.removingLastComponent())
      else { throw error }
      if path.hasLog { throw .logOnReadOnlyDisk }
      return try Database(path, .untouched, for: reader)
    }
  }

  /// Lets a file that somebody tampered with do as little as possible.
  private func distrustFile(isWriter: Bool) {
    safelight_set(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
    safelight_set(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    // SQLite 3.40 takes FTS5, into which triggers write names, for unsafe in an untrusted schema. So writers
    // compare the schema with the expected one before they write; see ``Schema/check(_:)``.
    safelight_set(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, isWriter ? 1 : 0)
    safelight_set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, isWriter ? 1 : 0)
    sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
    // The longest texts are statements with lists of identifiers.
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 64 << 20)
  }

  private static func untouchedName(_ path: FilePath) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    let escaped = path.bytes.flatMap { byte -> [UInt8] in
      let isPlain = byte > 0x20 && byte < 0x7F && !"%?#".utf8.contains(byte)
      return isPlain
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return Array("file:".utf8) + escaped + Array("?immutable=1".utf8)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(connection)
  }

  /// Runs statements without values or results, separated by semicolons.
  package func run(script: String) throws(DatabaseError) {
    guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else {
      throw DatabaseError(connection)
    }
  }

  /// Runs one statement to its end.
  package func run(_ text: String, _ values: (any DatabaseConvertible)...) throws(DatabaseError) {
    try run(text, values: values)
  }

  /// Runs one statement to its end, its values as a list.
  package func run(_ text: String, values: [any DatabaseConvertible]) throws(DatabaseError) {
    let statement = try prepared(text)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.next() {}
  }

  /// The elements that a function makes of a query's rows.
  ///
  /// - Throws: ``DatabaseError``, also when a column does not have the type that `element` reads, as in a
  ///   damaged file.
  package func rows<Element>(
    _ text: String, _ values: [any DatabaseConvertible] = [], element: (Row) -> Element
  ) throws(DatabaseError) -> [Element] {
    let statement = try prepared(text)
    defer { statement.reset() }
    try statement.bind(values)
    var elements: [Element] = []
    while try statement.next() {
      elements.append(element(Row(statement)))
      if let mismatch = statement.mismatch { throw mismatch }
    }
    return elements
  }

  /// The first column of the first row; `nil` when there is no row.
  package func value<Value: DatabaseConvertible>(
    _ text: String, _ values: any DatabaseConvertible..., as type: Value.Type = Value.self
  ) throws(DatabaseError) -> Value? {
    try rows(text, values) { $0[0] as Value }.first
  }

  /// The key of the last inserted row.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }

  /// The number of rows that the last statement changed.
  package var changedRows: Int { Int(sqlite3_changes(connection)) }

  /// Does work in one transaction.
  ///
  /// - Parameters:
  ///   - immediately: Whether to wait for other writers now, and not at the first change.
  ///   - work: The work; when it throws, everything is rolled back.
  /// - Throws: ``DatabaseError``, or what the work throws.
  package func transaction<Result>(
    immediately: Bool = true, _ work: () throws -> Result
  ) throws -> Result {
    try run(script: immediately ? "BEGIN IMMEDIATE" : "BEGIN")
    do {
      let result = try work()
      try run(script: "COMMIT")
      return result
    } catch {
      // After some errors, such as a full disk, SQLite has rolled back already, and this fails.
      try? run(script: "ROLLBACK")
      throw error
    }
  }

  private func prepared(_ text: String) throws(DatabaseError) -> Statement {
    if let statement = statements[text], !statement.isBusy { return statement }
    let statement = try Statement(text, connection, of: path, for: reader)
    // Predicates make many different texts, so the cache needs a limit.
    if statements.count >= 64 { statements = statements.filter(\.value.isBusy) }
    statements[text] = statement
    return statement
  }
}

/// Why SQLite could not do something. Programs decide by the code; the text is for people.
package struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's extended result code.
  package let code: Int32
  /// SQLite's description of the error.
  package let message: String
  /// Whether the system had too many open files or too little memory. The file is as good as before.
  package let isShortage: Bool

  package init(code: Int32, message: String) {
    self.code = code
    self.message = message
    isShortage = false
  }

  package init(_ connection: OpaquePointer?) {
    code = sqlite3_extended_errcode(connection)
    let isFileError = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff)
    let reason = isFileError ? sqlite3_system_errno(connection) : 0
    let hasTooManyFiles = reason == EMFILE || reason == ENFILE
    isShortage = hasTooManyFiles || reason == ENOMEM || code & 0xff == SQLITE_NOMEM
    message =
      hasTooManyFiles ? "too many files are open" : String(cString: sqlite3_errmsg(connection))
  }

  private var primary: Int32 { code & 0xff }

  /// Another process has been writing for longer than this one waits.
  package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }
  /// The disk is full.
  package var isDiskFull: Bool { primary == SQLITE_FULL }
  /// The file or its disk may not be written.
  package var isReadOnly: Bool { primary == SQLITE_READONLY }
  /// SQLite could not open the file, or one of those beside it.
  package var isUnopenable: Bool { primary == SQLITE_CANTOPEN }
  /// The file is no database, or a damaged one.
  package var isDamaged: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  /// The file is gone, damaged or on a failing disk, so it is useless to read again.
  package var isFileLost: Bool {
    isDamaged
      || !isShortage && [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOTFOUND].contains(primary)
  }

  /// The error for a row that the tables do not allow.
  package static func damaged(_ message: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, message: message)
  }

  /// The error for a change of a catalog that was opened only to be read.
  package static let openedToRead = DatabaseError(
    code: SQLITE_READONLY, message: "it was opened only to be read")

  /// The error for a file whose last changes are in a log that SQLite cannot read where it is.
  package static let logOnReadOnlyDisk = DatabaseError(
    code: SQLITE_CANTOPEN,
    message: """
      its last changes are in its log (“-wal”), which cannot be read on a disk that may not be written to. Copy the \
      whole folder of the library to another disk, and open it there
      """)

  /// The error for a file that was removed, or whose name another file has.
  package static let replaced = DatabaseError(
    code: SQLITE_CANTOPEN, message: "the file was removed or replaced while it was open")
}
