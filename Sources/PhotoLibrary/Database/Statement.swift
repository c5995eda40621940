import SafelightCSQLite

/// A prepared statement.
final class Statement {
  let pointer: OpaquePointer
  private let connection: OpaquePointer
  /// Whether it has been bound or stepped and not reset.
  private(set) var isBusy = false

  init(_ text: String, _ connection: OpaquePointer) throws(DatabaseError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw DatabaseError(connection) }
    pointer = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(pointer) }

  func bind(_ values: [any DatabaseConvertible]) throws(DatabaseError) {
    isBusy = true
    for (index, value) in values.enumerated() {
      guard bind(value.databaseValue, at: Int32(index + 1)) == SQLITE_OK else {
        throw DatabaseError(connection)
      }
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: `false` when there is none.
  func step() throws(DatabaseError) -> Bool {
    isBusy = true
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw DatabaseError(connection)
    }
  }

  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
    isBusy = false
  }

  private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(pointer, index)
    case .integer(let number): sqlite3_bind_int64(pointer, index, number)
    case .real(let number): sqlite3_bind_double(pointer, index, number)
    case .text(let text):
      text.utf8CString.withUnsafeBufferPointer {
        safelight_bind_text(pointer, index, $0.baseAddress, Int32($0.count - 1))
      }
    case .blob(let bytes):
      // A null pointer would bind NULL in place of an empty blob.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(pointer, index, 0)
        : safelight_bind_blob(pointer, index, bytes, Int32(bytes.count))
    }
  }
}

/// One row of a query's result, valid until the next step.
struct Row {
  private let statement: OpaquePointer

  init(_ statement: Statement) { self.statement = statement.pointer }

  /// A column's value as it is stored.
  func value(_ column: Int) -> DatabaseValue {
    let column = Int32(column)
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      return .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  /// A column's value; STRICT tables see to it that it is of the column's kind.
  subscript<Value: DatabaseConvertible>(_ column: Int) -> Value {
    let stored = value(column)
    guard let value = Value(stored) else {
      preconditionFailure("column \(column) holds \(stored), not a \(Value.self)")
    }
    return value
  }
}
