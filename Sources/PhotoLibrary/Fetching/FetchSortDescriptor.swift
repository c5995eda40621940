/// What fetched objects are sorted by.
///
/// Texts are sorted by their bytes, missing values come first. Objects that are alike in all that is
/// sorted by stand in the order in which the library took them in.
public struct FetchSortDescriptor: Sendable, Hashable {
  let key: FetchKey
  /// Whether small, early and missing values come first.
  public let ascending: Bool

  /// Sorts by a key, such as `.creationDate`.
  public init<Value>(_ key: AssetKey<Value>, ascending: Bool = true) {
    self.key = key.key
    self.ascending = ascending
  }

  /// Sorts by a key that is given by its name, such as `"creationDate"`.
  ///
  /// - Throws: ``PredicateFormatError`` when there is no such key.
  public init(key name: String, ascending: Bool = true) throws(PredicateFormatError) {
    guard let key = FetchKey(name: name) else {
      throw PredicateFormatError(
        column: 1, .unknownKey(name, nearest: FetchKey.nearest(to: name)))
    }
    self.key = key
    self.ascending = ascending
  }
}
