import FoundationEssentials

/// A value that fetches compare with.
public enum FetchValue: Sendable, Hashable {
  /// No value.
  case null
  /// True or false.
  case truth(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// Text.
  case text(String)
  /// A moment.
  case date(Date)
  /// Several values, for `IN` and `BETWEEN`.
  case list([FetchValue])

  /// The value as a key of some kind has it; `nil` when it cannot be one.
  ///
  /// Numbers stand for truth values and the other way round, as in PhotoKit.
  func converted(to kind: FetchKey.Kind) -> FetchValue? {
    switch (kind, self) {
    case (_, .null): .null
    case (.truth, .truth), (.integer, .integer), (.real, .real), (.text, .text), (.date, .date):
      isFinite ? self : nil
    case (.truth, .integer(let number)) where number == 0 || number == 1: .truth(number == 1)
    case (.integer, .truth(let truth)): .integer(truth ? 1 : 0)
    case (.integer, .real(let number)): isFinite ? .real(number) : nil
    case (.real, .integer(let number)): .real(Double(number))
    default: nil
    }
  }

  private var isFinite: Bool {
    switch self {
    case .real(let number): number.isFinite
    case .date(let date): date.timeIntervalSince1970.isFinite
    default: true
    }
  }

  /// The value as SQLite stores it.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .truth(let truth): truth.databaseValue
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .date(let date): date.databaseValue
    case .list: preconditionFailure("a list is no single value")
    }
  }
}

/// A Swift value that can stand in a predicate.
public protocol FetchArgument: Sendable {
  /// The value as fetches compare it.
  var fetchValue: FetchValue { get }
}

extension Bool: FetchArgument {
  public var fetchValue: FetchValue { .truth(self) }
}
extension Int: FetchArgument {
  public var fetchValue: FetchValue { .integer(Int64(self)) }
}
extension Int64: FetchArgument {
  public var fetchValue: FetchValue { .integer(self) }
}
extension Double: FetchArgument {
  public var fetchValue: FetchValue { .real(self) }
}
extension String: FetchArgument {
  public var fetchValue: FetchValue { .text(self) }
}
extension Date: FetchArgument {
  public var fetchValue: FetchValue { .date(self) }
}
extension AssetMediaSubtype: FetchArgument {
  public var fetchValue: FetchValue { .integer(Int64(rawValue)) }
}
extension AssetMediaType: FetchArgument {
  public var fetchValue: FetchValue { .integer(Int64(rawValue)) }
}
extension Asset: FetchArgument {
  public var fetchValue: FetchValue { .text(localIdentifier) }
}
extension FetchValue: FetchArgument {
  public var fetchValue: FetchValue { self }
}
extension Array: FetchArgument where Element: FetchArgument {
  public var fetchValue: FetchValue { .list(map(\.fetchValue)) }
}
extension Optional: FetchArgument where Wrapped: FetchArgument {
  public var fetchValue: FetchValue { self?.fetchValue ?? .null }
}
