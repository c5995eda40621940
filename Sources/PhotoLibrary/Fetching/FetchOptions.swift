import SafelightCatalog

/// The condition, the order and the limit of a fetch.
///
/// ```swift
/// var options = FetchOptions()
/// options.predicate = .isFavorite == true && .creationDate > date
/// options.sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: false)]
/// let photos = try library.fetchAssets(with: options)
/// ```
public struct FetchOptions: Sendable, Hashable {
  /// The condition; `nil` fetches all objects.
  public var predicate: FetchPredicate?
  /// The order. When it is empty, assets come by creation date, and the assets of an album in its order.
  public var sortDescriptors: [FetchSortDescriptor]
  /// Whether hidden assets are fetched too.
  public var includeHiddenAssets = false
  /// The largest number of objects; 0 sets no limit.
  public var fetchLimit = 0
  /// Whether the details of a change have the indexes of the objects that changed.
  public var wantsIncrementalChangeDetails = true

  /// Options that fetch everything that is not hidden.
  public init(
    predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = [],
    includeHiddenAssets: Bool = false, fetchLimit: Int = 0
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.includeHiddenAssets = includeHiddenAssets
    self.fetchLimit = fetchLimit
  }

  /// - Throws: ``PhotoLibraryError/predicateNotSupported(key:of:)`` for a key that such objects do not have.
  func check(for owner: FetchKey.Owner) throws(PhotoLibraryError) {
    precondition(fetchLimit >= 0, "a fetch limit is 0 or more, not \(fetchLimit)")
    let keys = (predicate?.condition.keys ?? []).union(sortDescriptors.map(\.key))
    for key in FetchKey.allCases where keys.contains(key) && !key.belongs(to: owner) {
      throw .predicateNotSupported(key: key.name, of: owner.rawValue)
    }
  }
}

/// A key that fetched objects are sorted by.
///
/// Texts are sorted by their bytes; missing values come first. Objects with equal keys are in the order in
/// which they were added to the library.
public struct FetchSortDescriptor: Sendable, Hashable {
  let key: FetchKey
  /// Whether missing, small and early values come first.
  public let ascending: Bool

  /// Sorts by a key, such as `.creationDate`.
  public init<Value>(_ key: AssetKey<Value>, ascending: Bool = true) {
    self.key = key.key
    self.ascending = ascending
  }

  /// Sorts by the key with a name, such as `"creationDate"`.
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

extension FetchOptions {
  /// Filters, sorts and limits objects in memory.
  func applied<Subject: FetchSubject>(to subjects: [Subject]) -> [Subject] {
    var kept = subjects
    if let condition = predicate?.condition { kept = kept.filter { condition.holds(for: $0) } }
    // Swift's sort keeps the order of equal objects.
    for descriptor in sortDescriptors.reversed() {
      kept.sort { first, second in
        let values = [first.value(of: descriptor.key), second.value(of: descriptor.key)]
        let (low, high) = descriptor.ascending ? (values[0], values[1]) : (values[1], values[0])
        if low == .null || high == .null { return low == .null && high != .null }
        return low.ordered(with: high).map { $0 < 0 } ?? false
      }
    }
    return fetchLimit > 0 ? Array(kept.prefix(fetchLimit)) : kept
  }
}

extension AssetQuery {
  /// The assets of a fetch with options, for which another condition holds too.
  init(
    _ scope: Scope = .library, _ options: FetchOptions?, also condition: Condition = .always,
    visibility: AssetVisibility
  ) {
    let options = options ?? FetchOptions()
    self.init(
      scope, where: .all([options.predicate?.condition ?? .always, condition]),
      sort: options.sortDescriptors.map { AssetSort($0.key, ascending: $0.ascending) },
      includesHidden: options.includeHiddenAssets, limit: options.fetchLimit,
      visibility: visibility)
  }
}
