import SafelightCatalog
import SafelightFiles
import Synchronization

/// The condition, the order and the limit of a fetch.
///
/// ```swift
/// let options = FetchOptions()
/// options.predicate = .isFavorite == true && .creationDate > date
/// options.sortDescriptors = [FetchSortDescriptor(.creationDate, ascending: false)]
/// let photos = try library.fetchAssets(with: options)
/// ```
///
/// Options are a reference, as in PhotoKit. A fetch takes the values that they have at the call.
public final class FetchOptions: Sendable {
  private struct Values {
    var predicate: FetchPredicate?
    var sortDescriptors: [FetchSortDescriptor] = []
    var includeHiddenAssets = false
    var fetchLimit = 0
    var wantsIncrementalChangeDetails = true
  }

  private let values: Mutex<Values>

  /// The condition; `nil` fetches all objects.
  public var predicate: FetchPredicate? {
    get { values.withLock(\.predicate) }
    set { values.withLock { $0.predicate = newValue } }
  }
  /// The order. When it is empty, assets come as their cameras' clocks say (`localDate`), and the
  /// assets of an album in its order.
  public var sortDescriptors: [FetchSortDescriptor] {
    get { values.withLock(\.sortDescriptors) }
    set { values.withLock { $0.sortDescriptors = newValue } }
  }
  /// Whether hidden assets are fetched too.
  public var includeHiddenAssets: Bool {
    get { values.withLock(\.includeHiddenAssets) }
    set { values.withLock { $0.includeHiddenAssets = newValue } }
  }
  /// The largest number of objects; 0 sets no limit.
  public var fetchLimit: Int {
    get { values.withLock(\.fetchLimit) }
    set { values.withLock { $0.fetchLimit = newValue } }
  }
  /// Whether the details of a change have the indexes of the objects that changed.
  public var wantsIncrementalChangeDetails: Bool {
    get { values.withLock(\.wantsIncrementalChangeDetails) }
    set { values.withLock { $0.wantsIncrementalChangeDetails = newValue } }
  }

  /// Options that fetch everything that is not hidden.
  public init(
    predicate: FetchPredicate? = nil, sortDescriptors: [FetchSortDescriptor] = [],
    includeHiddenAssets: Bool = false, fetchLimit: Int = 0
  ) {
    values = Mutex(
      Values(
        predicate: predicate, sortDescriptors: sortDescriptors,
        includeHiddenAssets: includeHiddenAssets, fetchLimit: fetchLimit))
  }

  private init(_ values: Values) { self.values = Mutex(values) }

  /// Options with the same values, which a program can change on their own.
  public func copy() -> FetchOptions { FetchOptions(values.withLock(\.self)) }

  /// - Throws: ``PhotoLibraryError/predicateNotSupported(key:of:)`` for a key that such objects do not have,
  ///   ``PhotoLibraryError/invalidValue(_:)`` for a negative limit and for a predicate's text with a mistake.
  func check(for owner: FetchKey.Owner) throws(PhotoLibraryError) {
    guard fetchLimit >= 0 else {
      throw .invalidValue("A fetch limit is 0 or more, not \(fetchLimit).")
    }
    if let mistake = predicate?.mistake { throw .invalidValue(mistake) }
    for descriptor in sortDescriptors where descriptor.key == nil {
      throw .predicateNotSupported(key: descriptor.name, of: owner.rawValue)
    }
    let keys = (predicate?.condition.keys ?? []).union(sortDescriptors.compactMap(\.key))
    for key in FetchKey.allCases where keys.contains(key) && !key.belongs(to: owner) {
      throw .predicateNotSupported(key: key.name, of: owner.rawValue)
    }
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
        guard let key = descriptor.key else { return false }
        let values = [first.value(of: key), second.value(of: key)]
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
      sort: options.sortDescriptors.compactMap { descriptor in
        descriptor.key.map { AssetSort($0, ascending: descriptor.ascending) }
      },
      includesHidden: options.includeHiddenAssets, limit: options.fetchLimit,
      visibility: visibility)
  }
}

extension PhotoLibrary {
  /// Fetches assets.
  ///
  /// - Parameter options: Which assets; `nil` fetches all that are not hidden, as their cameras' clocks say.
  /// - Returns: The assets as they are now; an empty result when the user did not allow access.
  /// - Throws: ``PhotoLibraryError``, such as
  ///   ``PhotoLibraryError/predicateNotSupported(key:of:)``.
  public func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    let options = options?.copy()
    return try assets(options) { visibility, _ in
      AssetQuery(.library, options, visibility: visibility)
    }
  }

  /// Fetches the assets with these identifiers, hidden assets too.
  ///
  /// The order is that of the options, not of the identifiers. Each asset comes once; unknown identifiers
  /// are ignored.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    let wanted = options?.copy() ?? FetchOptions()
    wanted.includeHiddenAssets = true
    return try assets(wanted) { visibility, _ in
      AssetQuery(.identifiers(identifiers), wanted, visibility: visibility)
    }
  }

  /// Fetches the assets of an album, in the album's order unless the options sort.
  ///
  /// - Returns: The album's assets as they are now; an empty result when the album is gone.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssets(
    in collection: AssetCollection, options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try checkOrigin(of: collection)
    let options = options?.copy()
    switch collection.kind {
    case .smartAlbum(let album):
      return try assets(options) { visibility, _ in album.query(options, visibility: visibility) }
    case .album:
      let identifier = collection.localIdentifier
      return try assets(options) { (visibility, snapshot) throws(PhotoLibraryError) in
        guard visibility == .all, let album = try snapshot.album(identifier) else { return nil }
        return AssetQuery(.album(album), options, visibility: visibility)
      }
    }
  }

  /// Fetches the assets whose originals are at these paths: hidden assets too, but none in the trash.
  ///
  /// - Parameter paths: The files, absolute or relative; symbolic links are followed.
  /// - Returns: An asset for each path, in their order; `nil` for a path without an asset.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssets(at paths: [FilePath]) throws(PhotoLibraryError) -> [Asset?] {
    let snapshot = try snapshots.now()
    let identifiers = try snapshot.read { (database) -> [String?] in
      try paths.map { (path) -> String? in
        try database.value(of: .identifier, at: path.resolvedAsFarAsPossible)
      }
    }
    // This fetch checks what the client may see.
    var found: [String: Asset] = [:]
    for asset in try fetchAssets(withLocalIdentifiers: identifiers.compactMap(\.self))
      .allObjects()
    {
      found[asset.localIdentifier] = asset
    }
    return identifiers.map { identifier in identifier.flatMap { found[$0] } }
  }

  /// Makes a result that can make its query again for later snapshots.
  ///
  /// - Parameter query: Makes the query for what the client may see; `nil` finds nothing.
  private func assets(
    _ options: FetchOptions?,
    _ query:
      @escaping @Sendable (Access.Visibility, Snapshot) throws(PhotoLibraryError) -> AssetQuery?
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try options?.check(for: .asset)
    let incremental = options?.wantsIncrementalChangeDetails ?? true
    return try result(incremental) { (visibility, snapshot) throws(PhotoLibraryError) in
      guard let query = try query(visibility, snapshot), !query.isEmpty else {
        return .list([], rows: [])
      }
      return .assets(FetchedAssets(query, in: snapshot)) { $0 }
    }
  }

  /// Makes a result from the present snapshot, which can be fetched again from later snapshots.
  func result<Object>(
    _ incremental: Bool,
    _ storage:
      @escaping @Sendable (Access.Visibility, Snapshot) throws(PhotoLibraryError)
      -> FetchResult<Object>.Storage
  ) throws(PhotoLibraryError) -> FetchResult<Object> {
    let snapshot = try snapshots.now()
    if snapshot.access.status(for: .readWrite) == .notDetermined { askOnce(for: .readWrite) }
    return try result(incremental, storage, in: snapshot)
  }

  private func result<Object>(
    _ incremental: Bool,
    _ storage:
      @escaping @Sendable (Access.Visibility, Snapshot) throws(PhotoLibraryError)
      -> FetchResult<Object>.Storage,
    in snapshot: Snapshot
  ) throws(PhotoLibraryError) -> FetchResult<Object> {
    // The access at the time of the snapshot, like everything else in the result.
    let visibility = snapshot.access.visibility
    return FetchResult(
      storage: visibility == .none ? .list([], rows: []) : try storage(visibility, snapshot),
      snapshot: snapshot, wantsIncrementalChangeDetails: incremental,
      fetch: { (later) throws(PhotoLibraryError) in
        try self.result(incremental, storage, in: later)
      })
  }
}

extension Snapshot {
  /// The row of a user's album; `nil` when the album is gone.
  fileprivate func album(_ identifier: String) throws(PhotoLibraryError) -> Int64? {
    try read { database in
      try database.value(
        "SELECT id FROM collection WHERE identifier = ? AND isList = 0", identifier)
    }
  }
}

// The same fetches in PhotoKit's spelling. Without a library they are about the shared one, or about the library
// of the object that they are given.

extension Asset {
  /// Fetches assets; see ``PhotoLibrary/fetchAssets(with:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    with options: FetchOptions? = nil, in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(with: options)
  }

  /// Fetches the assets of a medium. A library has photos only.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    with mediaType: AssetMediaType, options: FetchOptions?, in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    let options = options?.copy() ?? FetchOptions()
    let isOfMedium = AssetKey.mediaType == mediaType
    options.predicate = options.predicate.map { $0 && isOfMedium } ?? isOfMedium
    return try library.fetchAssets(with: options)
  }

  /// Fetches the assets with these identifiers; see
  /// ``PhotoLibrary/fetchAssets(withLocalIdentifiers:options:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: FetchOptions? = nil,
    in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(withLocalIdentifiers: identifiers, options: options)
  }

  /// Fetches the assets of an album; see ``PhotoLibrary/fetchAssets(in:options:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    in collection: AssetCollection, options: FetchOptions? = nil,
    of library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(in: collection, options: options)
  }
}

extension AssetCollection {
  /// Fetches albums of the user, or smart albums.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssetCollections(
    with type: CollectionType, subtype: SmartAlbum? = nil, options: FetchOptions? = nil,
    in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try library.fetchAssetCollections(with: type, subtype: subtype, options: options)
  }

  /// Fetches the albums of one of PhotoKit's subtypes.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssetCollections(
    with type: CollectionType, subtype: AssetCollectionSubtype, options: FetchOptions? = nil,
    in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try library.fetchAssetCollections(with: type, subtype: subtype, options: options)
  }

  /// Fetches the albums with these identifiers.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: FetchOptions? = nil,
    in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try library.fetchAssetCollections(withLocalIdentifiers: identifiers, options: options)
  }
}

extension UserCollection {
  /// Fetches the albums and lists that are in no list.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchTopLevelUserCollections(
    with options: FetchOptions? = nil, in library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<UserCollection> {
    try library.fetchTopLevelUserCollections(with: options)
  }

  /// Fetches the albums and lists in a list.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchCollections(
    in list: CollectionList, options: FetchOptions? = nil, of library: PhotoLibrary = .shared()
  ) throws(PhotoLibraryError) -> FetchResult<UserCollection> {
    try library.fetchCollections(in: list, options: options)
  }
}
