import FoundationEssentials
import SafelightCatalog

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
