import FoundationEssentials
import SafelightCatalog

/// A value in a predicate.
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
  /// An instant.
  case date(Date)
  /// Several values, for `IN` and `BETWEEN`.
  case list([FetchValue])

  /// The value as a key of this kind stores it; `nil` when the key cannot have such a value.
  ///
  /// As in PhotoKit, the numbers 0 and 1 may be used as truth values, and truth values as numbers.
  func converted(to kind: FetchKey.Kind) -> DatabaseValue? {
    switch (kind, self) {
    case (_, .null): .null
    case (.truth, .truth(let truth)), (.integer, .truth(let truth)): .integer(truth ? 1 : 0)
    case (.truth, .integer(let number)) where number == 0 || number == 1: .integer(number)
    case (.integer, .integer(let number)): .integer(number)
    case (.real, .integer(let number)): .real(Double(number))
    case (.integer, .real(let number)), (.real, .real(let number)):
      number.isFinite ? .real(number) : nil
    case (.text, .text(let text)): .text(text)
    case (.keywords, .list(let list)):
      KeywordText.joined(list.compactMap { if case .text(let text) = $0 { text } else { nil } })
        .databaseValue
    case (.date, .date(let date)):
      date.timeIntervalSince1970.isFinite ? date.databaseValue : nil
    default: nil
    }
  }
}

/// A Swift value that can be used in a predicate.
public protocol FetchArgument: Sendable {
  /// The value for the predicate.
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
