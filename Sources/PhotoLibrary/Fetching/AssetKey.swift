import FoundationEssentials
import SafelightCatalog

/// What assets, albums and lists of albums can be filtered and sorted by, with the type of its values.
///
/// ```swift
/// let wanted: FetchPredicate = .isFavorite == true && .pixelWidth > .pixelHeight
/// ```
public struct AssetKey<Value: Sendable>: Sendable, Hashable {
  let key: FetchKey
}

extension AssetKey where Value == Bool {
  /// Whether somebody marked it as a favorite.
  public static var isFavorite: Self { Self(key: .favorite) }
  /// Whether it is hidden; hidden assets are fetched only when the options include them.
  public static var isHidden: Self { Self(key: .hidden) }
  /// Whether it is edited.
  public static var hasAdjustments: Self { Self(key: .hasAdjustments) }
}

extension AssetKey where Value == Date {
  /// When the photo was taken, or the album made.
  public static var creationDate: Self { Self(key: .creationDate) }
  /// What the camera's clock showed when the photo was taken, as if it had shown UTC; of albums, the clock
  /// of this computer.
  public static var localDate: Self { Self(key: .localDate) }
  /// When the original or its edit last changed.
  public static var modificationDate: Self { Self(key: .modificationDate) }
  /// When the library took the photo in.
  public static var addedDate: Self { Self(key: .addedDate) }
}

extension AssetKey where Value == Int {
  /// Columns of the photo as it is seen.
  public static var pixelWidth: Self { Self(key: .pixelWidth) }
  /// Rows of the photo as it is seen.
  public static var pixelHeight: Self { Self(key: .pixelHeight) }
  /// Stars, 0 to 5, and -1 for a rejected photo; missing when nobody rated it.
  public static var rating: Self { Self(key: .rating) }
  /// The sensitivity, such as 100.
  public static var iso: Self { Self(key: .iso) }
  /// How far the camera's clock was ahead of UTC, in seconds.
  public static var timeZoneOffset: Self { Self(key: .timeZoneOffset) }
  /// How many assets an album shows.
  public static var estimatedAssetCount: Self { Self(key: .estimatedAssetCount) }
}

extension AssetKey where Value == Double {
  /// Degrees to the north.
  public static var latitude: Self { Self(key: .latitude) }
  /// Degrees to the east.
  public static var longitude: Self { Self(key: .longitude) }
  /// Seconds of exposure.
  public static var exposureTime: Self { Self(key: .exposureTime) }
  /// The f-number, such as 2.8.
  public static var aperture: Self { Self(key: .aperture) }
  /// Millimeters, without conversion to another size of sensor.
  public static var focalLength: Self { Self(key: .focalLength) }
  /// Seconds that it lasts: always 0.
  public static var duration: Self { Self(key: .duration) }
}

extension AssetKey where Value == AssetMediaType {
  /// What it is: always a photo.
  public static var mediaType: Self { Self(key: .mediaType) }
}

extension AssetKey where Value == AssetMediaSubtype {
  /// What kinds of photo it is.
  public static var mediaSubtypes: Self { Self(key: .mediaSubtypes) }

  /// Whether it is of all these kinds.
  public func contains(_ subtypes: AssetMediaSubtype) -> FetchPredicate {
    let bits = Int64(subtypes.rawValue)
    return FetchPredicate(.bits(bits, of: key))
  }
}

extension AssetKey where Value == String {
  /// What names the object for as long as it exists.
  public static var localIdentifier: Self { Self(key: .localIdentifier) }
  /// The format of the asset's edit; missing when it has none.
  public static var adjustmentFormatIdentifier: Self { Self(key: .adjustmentFormatIdentifier) }
  /// The name of the original's file, without its folder.
  public static var filename: Self { Self(key: .filename) }
  /// The original's path.
  public static var path: Self { Self(key: .path) }
  /// The camera that took the photo.
  public static var camera: Self { Self(key: .camera) }
  /// The lens.
  public static var lens: Self { Self(key: .lens) }
  /// The title of a photo, of an album or of a list of albums.
  public static var title: Self { Self(key: .title) }
  /// What a person wrote about the photo.
  public static var caption: Self { Self(key: .caption) }
}

extension AssetKey where Value == [String] {
  /// What the photo shows, each as one word or phrase; missing without any.
  public static var keywords: Self { Self(key: .keywords) }

  /// Whether this is one of the keywords.
  public func contains(_ keyword: String, _ options: TextOptions = []) -> FetchPredicate {
    any(.whole, keyword, options)
  }
  /// Whether a text occurs in one of the keywords.
  public func containsAny(with text: String, _ options: TextOptions = []) -> FetchPredicate {
    any(.anywhere, text, options)
  }

  private func any(
    _ place: TextMatch.Place, _ text: String, _ options: TextOptions
  ) -> FetchPredicate {
    let match = TextMatch(keyword: place, text, options)
    return FetchPredicate(match.map { .text(key, $0) } ?? .never)
  }
}

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
    // A value that is not finite compares with nothing.
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
    FetchPredicate(.text(key, TextMatch(place, text, options)))
  }
}

extension TextMatch {
  init(_ place: Place, _ pattern: String, _ options: TextOptions) {
    self.init(
      place, pattern, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
  }

  /// A pattern for one of several keywords; `nil` for `LIKE`.
  init?(keyword place: Place, _ pattern: String, _ options: TextOptions) {
    let match = KeywordText.match(
      place, pattern, ignoresCase: options.contains(.caseInsensitive),
      ignoresAccents: options.contains(.diacriticInsensitive))
    guard let match else { return nil }
    self = match
  }
}
