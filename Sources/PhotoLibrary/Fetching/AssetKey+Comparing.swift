extension AssetKey where Value: FetchArgument {
  /// Whether the value is the same as another.
  public static func == (key: Self, value: Value) -> FetchPredicate {
    key.compared(.equal, value)
  }
  /// Whether the value differs from another, or is missing.
  public static func != (key: Self, value: Value) -> FetchPredicate { !(key == value) }
  /// Whether there is no value; write `key == nil`.
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
    // What is no number is like nothing, neither more nor less.
    guard let value = value.fetchValue.converted(to: key.kind) else {
      return FetchPredicate(.never)
    }
    return FetchPredicate(.compare(.init(key: key), relation, .value(value)))
  }
}

extension AssetKey where Value: FetchArgument & Comparable {
  /// Whether the value comes before another.
  public static func < (key: Self, value: Value) -> FetchPredicate { key.compared(.less, value) }
  /// Whether the value comes before another or is the same.
  public static func <= (key: Self, value: Value) -> FetchPredicate {
    key.compared(.atMost, value)
  }
  /// Whether the value comes after another.
  public static func > (key: Self, value: Value) -> FetchPredicate {
    key.compared(.greater, value)
  }
  /// Whether the value comes after another or is the same.
  public static func >= (key: Self, value: Value) -> FetchPredicate {
    key.compared(.atLeast, value)
  }
  /// Whether the value lies in a range; write `key ~= range`.
  public static func ~= (key: Self, range: ClosedRange<Value>) -> FetchPredicate {
    key >= range.lowerBound && key <= range.upperBound
  }

  /// Whether the value comes before that of another key.
  public static func < (key: Self, other: Self) -> FetchPredicate {
    FetchPredicate(.compare(.init(key: key.key), .less, .key(other.key)))
  }
  /// Whether the value comes after that of another key.
  public static func > (key: Self, other: Self) -> FetchPredicate {
    FetchPredicate(.compare(.init(key: key.key), .greater, .key(other.key)))
  }
}

/// What a search for text passes over.
public struct TextOptions: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Capital and small letters are the same; `[c]` in a format.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Letters are the same with and without accents; `[d]` in a format.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension AssetKey where Value == String {
  /// Whether the text begins with another.
  public func begins(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.beginning, text, options)
  }
  /// Whether the text ends with another.
  public func ends(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.end, text, options)
  }
  /// Whether another text occurs in it.
  public func contains(_ text: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.anywhere, text, options)
  }
  /// Whether the whole text is like a pattern, in which `*` stands for any letters and `?` for one.
  public func isLike(_ pattern: String, _ options: TextOptions = []) -> FetchPredicate {
    matches(.like, pattern, options)
  }
  /// Whether the text is the same as another but for what is passed over.
  public func equals(_ text: String, _ options: TextOptions) -> FetchPredicate {
    matches(.whole, text, options)
  }

  private func matches(
    _ place: TextMatch.Place, _ text: String, _ options: TextOptions
  ) -> FetchPredicate {
    let match = TextMatch(
      place, text, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
    return FetchPredicate(.text(key, match))
  }
}
