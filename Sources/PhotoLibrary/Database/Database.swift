import PhotoEditing
import SafelightCSQLite

/// One connection to a SQLite file. Used by one thread at a time: by its owner's actor or lock.
///
/// Statements are prepared once and kept, so pass the same text with other values rather than texts
/// with values in them.
final class Database {
  /// How a file is opened.
  enum Mode {
    case create, write, read
    /// As it stands in the file, without looking for a log beside it or leaving anything there.
    case untouched
  }

  let connection: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - patience: How long to wait for other processes, in milliseconds.
  /// - Throws: ``DatabaseError``.
  init(_ path: FilePath, _ mode: Mode, patience: Int32 = 5000) throws(DatabaseError) {
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
    guard mode == .create || mode == .write else { return }
    // On a disk that may not be written SQLite would go on as a reader, if somebody left a log there.
    if sqlite3_db_readonly(opened, "main") == 1 {
      throw DatabaseError(
        code: SQLITE_READONLY, message: "the file or its disk may not be written to")
    }
    // Triggers of the tables call it.
    try addTextFolding()
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
  func run(script: String) throws(DatabaseError) {
    guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else {
      throw DatabaseError(connection)
    }
  }

  /// Runs one statement to its end.
  func run(_ text: String, _ values: (any DatabaseConvertible)...) throws(DatabaseError) {
    try run(text, values: values)
  }

  /// Runs one statement to its end, its values as a list.
  func run(_ text: String, values: [any DatabaseConvertible]) throws(DatabaseError) {
    let statement = try prepared(text)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
  }

  /// The rows of a query, each made into an element.
  func rows<Element>(
    _ text: String, _ values: [any DatabaseConvertible] = [], _ element: (Row) -> Element
  ) throws(DatabaseError) -> [Element] {
    let statement = try prepared(text)
    defer { statement.reset() }
    try statement.bind(values)
    var elements: [Element] = []
    while try statement.step() { elements.append(element(Row(statement))) }
    return elements
  }

  /// The first column of the first row; `nil` when there is no row.
  func value<Value: DatabaseConvertible>(
    _ text: String, _ values: any DatabaseConvertible..., as type: Value.Type = Value.self
  ) throws(DatabaseError) -> Value? {
    try rows(text, values) { $0[0] as Value }.first
  }

  /// The key of the row that was inserted last.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }

  /// How many rows the last statement changed.
  var changedRows: Int { Int(sqlite3_changes(connection)) }

  /// Does work in one transaction: all of it happens, or none.
  ///
  /// - Parameter immediately: Whether to wait for other writers at once rather than at the first
  ///   change.
  func transaction<Result, Failure: Error>(
    immediately: Bool = true, _ work: () throws(Failure) -> Result,
    failing: (DatabaseError) -> Failure
  ) throws(Failure) -> Result {
    func run(_ script: String) throws(Failure) {
      do { try self.run(script: script) } catch { throw failing(error) }
    }
    try run(immediately ? "BEGIN IMMEDIATE" : "BEGIN")
    do throws(Failure) {
      let result = try work()
      try run("COMMIT")
      return result
    } catch {
      // A full disk may have rolled it back already; then this fails and nothing is lost by it.
      try? self.run(script: "ROLLBACK")
      throw error
    }
  }

  private func prepared(_ text: String) throws(DatabaseError) -> Statement {
    if let statement = statements[text], !statement.isBusy { return statement }
    let statement = try Statement(text, connection)
    // Predicates make ever new texts.
    if statements.count >= 64 { statements = statements.filter(\.value.isBusy) }
    statements[text] = statement
    return statement
  }
}
