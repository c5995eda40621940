import FoundationEssentials
import SafelightCSQLite
import SafelightFiles

/// A prepared statement.
package final class Statement {
  fileprivate let pointer: OpaquePointer
  private let connection: OpaquePointer
  /// The database's file.
  fileprivate let path: FilePath
  fileprivate let reader: String
  /// Whether the statement is between `bind` and `reset`.
  private(set) var isBusy = false
  /// The error for a column of the present row that was read as another type.
  fileprivate(set) var mismatch: DatabaseError?

  package init(
    _ text: String, _ connection: OpaquePointer, of path: FilePath, for reader: String
  ) throws(DatabaseError) {
    (self.path, self.reader) = (path, reader)
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw DatabaseError(connection) }
    pointer = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(pointer) }

  package func bind(_ values: [any DatabaseConvertible]) throws(DatabaseError) {
    isBusy = true
    for (index, value) in values.enumerated() {
      guard bind(value.databaseValue, at: Int32(index + 1)) == SQLITE_OK else {
        throw DatabaseError(connection)
      }
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is one.
  package func next() throws(DatabaseError) -> Bool {
    isBusy = true
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw DatabaseError(connection)
    }
  }

  package func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
    isBusy = false
    mismatch = nil
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

/// One row of a query's result, valid until ``Statement/next()`` is called again.
package struct Row {
  private let owner: Statement
  private var statement: OpaquePointer { owner.pointer }

  init(_ statement: Statement) { owner = statement }

  /// The database's file.
  package var path: FilePath { owner.path }

  /// The identifier of the client that reads; empty for the owner.
  package var reader: String { owner.reader }

  /// A column's stored value.
  package func value(_ column: Int) -> DatabaseValue {
    let column = Int32(column)
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      // With all of its bytes, also behind a NUL: texts that differ there are different.
      guard let start = sqlite3_column_text(statement, column) else { return .null }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  /// A column's value.
  ///
  /// In a damaged file a column may have a value of another type. The query that reads the row then throws,
  /// and nobody uses the value that is returned here.
  package subscript<Value: DatabaseConvertible>(_ column: Int) -> Value {
    let stored = value(column)
    if let value = Value(stored) { return value }
    owner.mismatch = .damaged("column \(column) of a row is not a \(Value.self)")
    return Value.placeholder
  }
}

/// One value of a row, in SQLite's five storage classes.
package enum DatabaseValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type of the values of columns.
package protocol DatabaseConvertible: Sendable {
  /// The value as SQLite stores it.
  var databaseValue: DatabaseValue { get }
  /// A column's value; `nil` when it has another type.
  init?(_ value: DatabaseValue)
  /// Takes the place of a value that cannot be read, until the query throws.
  static var placeholder: Self { get }
}

extension DatabaseValue: DatabaseConvertible {
  package var databaseValue: DatabaseValue { self }
  package init?(_ value: DatabaseValue) { self = value }
  package static var placeholder: DatabaseValue { .null }
}

/// Stored as the same 64 bits.
extension DatabaseConvertible where Self: FixedWidthInteger {
  package static var placeholder: Self { 0 }
  package var databaseValue: DatabaseValue { .integer(Int64(truncatingIfNeeded: self)) }
  package init?(_ value: DatabaseValue) {
    guard case .integer(let number) = value else { return nil }
    self.init(truncatingIfNeeded: number)
  }
}

extension Int64: DatabaseConvertible {}
extension UInt64: DatabaseConvertible {}
extension Int: DatabaseConvertible {}

/// Stored as 0 and 1.
extension Bool: DatabaseConvertible {
  package static var placeholder: Self { false }
  package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
  package init?(_ value: DatabaseValue) {
    guard case .integer(let number) = value else { return nil }
    self = number != 0
  }
}

extension Double: DatabaseConvertible {
  package static var placeholder: Self { 0 }
  package var databaseValue: DatabaseValue { .real(self) }
  package init?(_ value: DatabaseValue) {
    switch value {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension String: DatabaseConvertible {
  package static var placeholder: Self { "" }
  package var databaseValue: DatabaseValue { .text(self) }
  package init?(_ value: DatabaseValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension [UInt8]: DatabaseConvertible {
  package static var placeholder: Self { [] }
  package var databaseValue: DatabaseValue { .blob(self) }
  package init?(_ value: DatabaseValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

/// Stored as seconds since 1970 UTC, with fractions.
extension Date: DatabaseConvertible {
  package static var placeholder: Self { Date(timeIntervalSince1970: 0) }
  package var databaseValue: DatabaseValue { .real(timeIntervalSince1970) }
  package init?(_ value: DatabaseValue) {
    guard let seconds = Double(value) else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension Optional: DatabaseConvertible where Wrapped: DatabaseConvertible {
  package static var placeholder: Self { nil }
  package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
  package init?(_ value: DatabaseValue) {
    if value == .null {
      self = nil
    } else if let wrapped = Wrapped(value) {
      self = wrapped
    } else {
      return nil
    }
  }
}
