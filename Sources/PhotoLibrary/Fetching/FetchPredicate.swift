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

  init(_ condition: Condition) { self.condition = condition }

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

  /// The parts of a list of the same kind, so that a long chain of `&&` does not become a deep tree.
  private func parts(all: Bool) -> [Condition] {
    switch condition {
    case .all(let parts) where all: parts
    case .any(let parts) where !all: parts
    default: [condition]
    }
  }
}
