import FoundationEssentials
import SafelightCatalog

/// The condition for an object to be fetched.
///
/// A predicate is written with typed keys and operators, or as a text in the form of `NSPredicate`:
///
/// ```swift
/// let typed: FetchPredicate = .isFavorite == true && .creationDate > date
/// let text = try FetchPredicate(format: "favorite = YES AND creationDate > %@", date)
/// ```
///
/// A comparison with a missing value is false, except `!=`, which is true. `!` turns true into false and
/// false into true.
public struct FetchPredicate: Sendable, Hashable {
  let condition: Condition
  /// What is wrong with the text that the predicate was made of, which the fetch says; `nil` when all is right.
  let mistake: String?

  init(_ condition: Condition, mistake: String? = nil) {
    (self.condition, self.mistake) = (condition, mistake)
  }

  /// A predicate from its text.
  ///
  /// `= == != <> < <= > >=`, `BETWEEN {1, 2}`, `IN {1, 2}`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS` and
  /// `LIKE` (with `[c]`, `[d]` or `[cd]` after them), `AND OR NOT` (or `&& || !`), parentheses,
  /// `TRUEPREDICATE`, `FALSEPREDICATE`, `(mediaSubtypes & 4) != 0`. Texts and dates are in single or
  /// double quotes. Words may be in capital or small letters.
  ///
  /// A date is `'2024-05-01'` or `'2024-05-01 18:30:00'`. With `Z` or `+02:00` after it, the date is an
  /// instant. Without an offset, a `creationDate` is compared with what the camera's clock showed, and other
  /// dates are in the time zone of this computer.
  ///
  /// `keywords CONTAINS 'beach'` and `ANY keywords = 'beach'` hold when “beach” is one of the keywords. `ANY
  /// keywords` may also be followed by `IN`, `BEGINSWITH`, `ENDSWITH`, and by `CONTAINS` for a part of a
  /// keyword.
  ///
  /// - Parameters:
  ///   - format: The text; at most 16,384 bytes, 64 levels of parentheses and 500 comparisons.
  ///   - arguments: The values of `%@` (any value), `%d` (a whole number), `%f` (a number) and `%K` (the
  ///     name of a key), in their order.
  /// - Throws: ``PredicateFormatError``, which has the column of the mistake.
  public init(format: String, _ arguments: (any FetchArgument)?...) throws(PredicateFormatError) {
    try self.init(format: format, arguments: arguments.map { $0?.fetchValue ?? .null })
  }

  /// A predicate from its text, with a list of arguments.
  public init(format: String, arguments: [FetchValue]) throws(PredicateFormatError) {
    var parser = try PredicateParser(format, arguments)
    self.init(try parser.predicate())
  }

  /// A predicate from its text, as ``init(format:arguments:)`` makes it. A mistake in the text is not thrown
  /// here: the fetch throws it as ``PhotoLibraryError/invalidValue(_:)``.
  public init(formatCheckedAtFetch format: String, arguments: [FetchValue]) {
    do throws(PredicateFormatError) {
      try self.init(format: format, arguments: arguments)
    } catch {
      self.init(.never, mistake: error.description)
    }
  }

  /// Holds for every object.
  public static let all = FetchPredicate(.always)
  /// Holds for none.
  public static let none = FetchPredicate(.never)

  /// Whether both hold.
  public static func && (first: FetchPredicate, second: FetchPredicate) -> FetchPredicate {
    FetchPredicate(
      .all(first.parts(all: true) + second.parts(all: true)),
      mistake: first.mistake ?? second.mistake)
  }

  /// Whether at least one holds.
  public static func || (first: FetchPredicate, second: FetchPredicate) -> FetchPredicate {
    FetchPredicate(
      .any(first.parts(all: false) + second.parts(all: false)),
      mistake: first.mistake ?? second.mistake)
  }

  /// Whether it does not hold.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(predicate.condition), mistake: predicate.mistake)
  }

  /// The parts of a list of the same kind, so that a long chain of `&&` does not become a deep tree.
  private func parts(all: Bool) -> [Condition] {
    switch condition {
    case .all(let parts) where all: parts
    case .any(let parts) where !all: parts
    default: [condition]
    }
  }
}

/// A value of assets, albums or lists that fetches filter and sort by, with its type.
///
/// ```swift
/// let wanted: FetchPredicate = .isFavorite == true && .pixelWidth > .pixelHeight
/// ```
public struct AssetKey<Value: Sendable>: Sendable, Hashable {
  let key: FetchKey

  init(key: FetchKey) { self.key = key }

  /// The key of a column.
  init(_ column: AssetColumn) { key = .column(column) }
}

extension AssetKey where Value == Int {
  /// The number of assets that an album shows.
  public static var estimatedAssetCount: Self { Self(key: .estimatedAssetCount) }
}

extension AssetKey where Value: FetchArgument {
  /// Whether the value is equal to another.
  public static func == (key: Self, value: Value) -> FetchPredicate {
    key.compared(.equal, value)
  }
  /// Whether the value differs from another, or is missing.
  public static func != (key: Self, value: Value) -> FetchPredicate { !(key == value) }
  /// Whether the value is missing; write `key == nil`.
  public static func == (key: Self, none: _OptionalNilComparisonType) -> FetchPredicate {
    FetchPredicate(.isNil(key.key))
  }
  /// Whether there is a value; write `key != nil`.
  public static func != (key: Self, none: _OptionalNilComparisonType) -> FetchPredicate {
    !(key == nil)
  }
  /// Whether the value is one of several.
  public func isIn(_ values: [Value]) -> FetchPredicate {
    let converted = values.map(\.fetchValue).compactMap { $0.converted(to: key.kind) }
    return FetchPredicate(.among(key, converted))
  }

  fileprivate func compared(_ relation: Condition.Relation, _ value: Value) -> FetchPredicate {
    // No comparison with an infinite number or with NaN holds.
    guard let value = value.fetchValue.converted(to: key.kind) else {
      return FetchPredicate(.never)
    }
    return FetchPredicate(.compare(.init(key: key), relation, .value(value)))
  }
}

extension AssetKey where Value: FetchArgument & Comparable {
  /// Whether the value is smaller than another.
  public static func < (key: Self, value: Value) -> FetchPredicate { key.compared(.less, value) }
  /// Whether the value is smaller than another or equal to it.
  public static func <= (key: Self, value: Value) -> FetchPredicate {
    key.compared(.atMost, value)
  }
  /// Whether the value is greater than another.
  public static func > (key: Self, value: Value) -> FetchPredicate {
    key.compared(.greater, value)
  }
  /// Whether the value is greater than another or equal to it.
  public static func >= (key: Self, value: Value) -> FetchPredicate {
    key.compared(.atLeast, value)
  }
  /// Whether the value is in a range; write `key ~= range`.
  public static func ~= (key: Self, range: ClosedRange<Value>) -> FetchPredicate {
    key >= range.lowerBound && key <= range.upperBound
  }

  /// Whether the value is smaller than that of another key.
  public static func < (key: Self, other: Self) -> FetchPredicate {
    FetchPredicate(.compare(.init(key: key.key), .less, .key(other.key)))
  }
  /// Whether the value is greater than that of another key.
  public static func > (key: Self, other: Self) -> FetchPredicate {
    FetchPredicate(.compare(.init(key: key.key), .greater, .key(other.key)))
  }
}

extension AssetKey where Value == AssetMediaSubtype {
  /// Whether the asset is of all these kinds.
  public func contains(_ subtypes: AssetMediaSubtype) -> FetchPredicate {
    FetchPredicate(.bits(Int64(subtypes.rawValue), of: key))
  }
}

/// What a search for text ignores.
public struct TextOptions: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Capital and small letters are equal; `[c]` in a format.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Letters with and without accents are equal; `[d]` in a format.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension AssetKey where Value == String {
  /// Whether the text begins with another.
  public func begins(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.beginning, text, options: options)
  }
  /// Whether the text ends with another.
  public func ends(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.end, text, options: options)
  }
  /// Whether the text contains another.
  public func contains(_ text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.anywhere, text, options: options)
  }
  /// Whether the whole text is like a pattern, in which `*` stands for any letters and `?` for one.
  public func isLike(_ pattern: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.like, pattern, options: options)
  }
  /// Whether the text is equal to another, except for what the options ignore.
  public func equals(_ text: String, _ options: TextOptions) -> FetchPredicate {
    matches(.whole, text, options: options)
  }

  private func matches(
    _ place: TextMatch.Place, _ text: String, options: TextOptions
  ) -> FetchPredicate {
    FetchPredicate(.text(key, TextMatch(place, text, options: options)))
  }
}

extension AssetKey where Value == [String] {
  /// Whether this is one of the keywords.
  public func contains(_ keyword: String, _ options: TextOptions = []) -> FetchPredicate {
    any(.whole, keyword, options: options)
  }
  /// Whether one of the keywords contains a text.
  public func containsAny(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    any(.anywhere, text, options: options)
  }

  private func any(
    _ place: TextMatch.Place, _ text: String, options: TextOptions
  ) -> FetchPredicate {
    let match = TextMatch(keyword: place, text, options: options)
    return FetchPredicate(match.map { .text(key, $0) } ?? .never)
  }
}

extension TextMatch {
  init(_ place: Place, _ pattern: String, options: TextOptions) {
    self.init(
      place, pattern, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
  }

  /// A pattern for one of several keywords; `nil` for `LIKE`.
  init?(keyword place: Place, _ pattern: String, options: TextOptions) {
    let match = KeywordText.match(
      place, pattern, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
    guard let match else { return nil }
    self = match
  }
}

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
