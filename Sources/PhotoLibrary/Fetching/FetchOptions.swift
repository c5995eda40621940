/// What to fetch, in which order, and how many.
///
/// ```swift
/// var options = FetchOptions()
/// options.predicate = .isFavorite == true && .creationDate > date
/// options.sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: false)]
/// let photos = try library.fetchAssets(with: options)
/// ```
public struct FetchOptions: Sendable, Hashable {
  /// What must hold for an object; `nil` fetches all.
  public var predicate: FetchPredicate?
  /// The order; with none, assets come by creation date, those of albums in the albums' order.
  public var sortDescriptors: [FetchSortDescriptor]
  /// Whether hidden assets are fetched too.
  public var includeHiddenAssets = false
  /// The most objects that are fetched; 0 sets no limit.
  public var fetchLimit = 0
  /// Whether changes of the result shall be told one by one.
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

  /// - Throws: ``PhotoLibraryError/predicateNotSupported(key:of:)`` when such objects do not have
  ///   what is filtered or sorted by.
  func check(for owner: FetchKey.Owner) throws(PhotoLibraryError) {
    precondition(fetchLimit >= 0, "a fetch limit is 0 or more, not \(fetchLimit)")
    let keys = (predicate?.condition.keys ?? []).union(sortDescriptors.map(\.key))
    for key in FetchKey.allCases where keys.contains(key) && !key.belongs(to: owner) {
      throw .predicateNotSupported(key: key.rawValue, of: owner.rawValue)
    }
  }
}
