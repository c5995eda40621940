import SafelightCatalog

/// What must hold for an object to be fetched.
///
/// Made of typed keys and operators, or of a text as `NSPredicate` takes it:
///
/// ```swift
/// let typed: FetchPredicate = .isFavorite == true && .creationDate > date
/// let text = try FetchPredicate(format: "favorite = YES AND creationDate > %@", date)
/// ```
///
/// A comparison with a missing value does not hold, but `!=` does, and `!` turns whatever it is
/// written before.
public struct FetchPredicate: Sendable, Hashable {
  let condition: Condition

  init(_ condition: Condition) { self.condition = condition }

  /// A predicate from its text.
  ///
  /// `= == != <> < <= > >=`, `BETWEEN {1, 2}`, `IN {1, 2}`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS` and
  /// `LIKE` (with `[c]`, `[d]` or `[cd]` behind them), `AND OR NOT` (or `&& || !`), parentheses,
  /// `TRUEPREDICATE`, `FALSEPREDICATE`, `(mediaSubtypes & 4) != 0`. Texts and dates stand in single or
  /// double quotes. Words are the same in capital and small letters.
  ///
  /// A date is `'2024-05-01'` or `'2024-05-01 18:30:00'`; with `Z` or `+02:00` behind it, it is an instant.
  /// Without, a `creationDate` is compared with what the camera's clock showed, and other dates with the
  /// clock of this computer.
  ///
  /// `keywords CONTAINS 'beach'` and `ANY keywords = 'beach'` hold when this is one of the keywords; `ANY
  /// keywords` also goes with `IN`, `BEGINSWITH`, `ENDSWITH`, and with `CONTAINS` for a part of a keyword.
  ///
  /// - Parameters:
  ///   - format: The text; at most 16,384 bytes, 64 levels of parentheses and 500 comparisons.
  ///   - arguments: What stands in for `%@` (any value), `%d` (a whole number), `%f` (a number) and
  ///     `%K` (the name of a key), in their order.
  /// - Throws: ``PredicateFormatError``, which tells the column of the mistake.
  public init(format: String, _ arguments: (any FetchArgument)?...) throws(PredicateFormatError) {
    try self.init(format: format, arguments: arguments.map { $0?.fetchValue ?? .null })
  }

  /// A predicate from its text, the arguments as a list.
  public init(format: String, arguments: [FetchValue]) throws(PredicateFormatError) {
    var parser = try PredicateParser(format, arguments)
    condition = try parser.predicate()
  }

  /// Holds for every object.
  public static let all = FetchPredicate(.always)
  /// Holds for none.
  public static let none = FetchPredicate(.never)

  /// Whether both hold.
  public static func && (first: FetchPredicate, second: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.all(first.parts(all: true) + second.parts(all: true)))
  }

  /// Whether at least one holds.
  public static func || (first: FetchPredicate, second: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.any(first.parts(all: false) + second.parts(all: false)))
  }

  /// Whether it does not hold.
  public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
    FetchPredicate(.not(predicate.condition))
  }

  /// Keeps long chains flat: the tree is as deep as what was written, not as long.
  private func parts(all: Bool) -> [Condition] {
    switch condition {
    case .all(let parts) where all: parts
    case .any(let parts) where !all: parts
    default: [condition]
    }
  }
}

// Where a predicate is expected, `.camera.contains("D750")` begins with one of these.
extension FetchPredicate {
  /// What names the object for as long as it exists.
  public static var localIdentifier: AssetKey<String> { .localIdentifier }
  /// The format of the asset's edit; missing when it has none.
  public static var adjustmentFormatIdentifier: AssetKey<String> { .adjustmentFormatIdentifier }
  /// The name of the original's file, without its folder.
  public static var filename: AssetKey<String> { .filename }
  /// The original's path.
  public static var path: AssetKey<String> { .path }
  /// The camera that took the photo.
  public static var camera: AssetKey<String> { .camera }
  /// The lens.
  public static var lens: AssetKey<String> { .lens }
  /// What a person wrote about the photo.
  public static var caption: AssetKey<String> { .caption }
  /// What the photo shows, each as one word or phrase.
  public static var keywords: AssetKey<[String]> { .keywords }
  /// The title of a photo, of an album or of a list of albums.
  public static var title: AssetKey<String> { .title }
  /// What kinds of photo it is.
  public static var mediaSubtypes: AssetKey<AssetMediaSubtype> { .mediaSubtypes }
  /// Columns of the photo as it is seen.
  public static var pixelWidth: AssetKey<Int> { .pixelWidth }
  /// Rows of the photo as it is seen.
  public static var pixelHeight: AssetKey<Int> { .pixelHeight }
}
