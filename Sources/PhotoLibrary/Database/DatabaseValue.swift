import FoundationEssentials

/// One value of a row, in SQLite's five storage classes.
enum DatabaseValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type that a column can hold.
protocol DatabaseConvertible: Sendable {
  /// The value as SQLite stores it.
  var databaseValue: DatabaseValue { get }
  /// The value of a column; `nil` when it is of another kind.
  init?(_ value: DatabaseValue)
}

extension Int64: DatabaseConvertible {
  var databaseValue: DatabaseValue { .integer(self) }
  init?(_ value: DatabaseValue) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }
}

extension Int: DatabaseConvertible {
  var databaseValue: DatabaseValue { .integer(Int64(self)) }
  init?(_ value: DatabaseValue) {
    guard case .integer(let number) = value else { return nil }
    self = Int(number)
  }
}

/// Stored as 0 and 1.
extension Bool: DatabaseConvertible {
  var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
  init?(_ value: DatabaseValue) {
    guard case .integer(let number) = value else { return nil }
    self = number != 0
  }
}

extension Double: DatabaseConvertible {
  var databaseValue: DatabaseValue { .real(self) }
  init?(_ value: DatabaseValue) {
    switch value {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension String: DatabaseConvertible {
  var databaseValue: DatabaseValue { .text(self) }
  init?(_ value: DatabaseValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension [UInt8]: DatabaseConvertible {
  var databaseValue: DatabaseValue { .blob(self) }
  init?(_ value: DatabaseValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }
}

/// Stored as seconds since 1970 UTC, with fractions.
extension Date: DatabaseConvertible {
  var databaseValue: DatabaseValue { .real(timeIntervalSince1970) }
  init?(_ value: DatabaseValue) {
    guard let seconds = Double(value) else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension Optional: DatabaseConvertible where Wrapped: DatabaseConvertible {
  var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
  init?(_ value: DatabaseValue) {
    if value == .null {
      self = nil
    } else if let wrapped = Wrapped(value) {
      self = wrapped
    } else {
      return nil
    }
  }
}
