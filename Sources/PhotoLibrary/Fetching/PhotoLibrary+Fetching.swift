import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// Fetches assets.
  ///
  /// - Parameter options: Which assets; `nil` fetches all that are not hidden, by creation date.
  /// - Returns: The assets as they are now; an empty result when the user did not allow access.
  /// - Throws: ``PhotoLibraryError``, such as
  ///   ``PhotoLibraryError/predicateNotSupported(key:of:)``.
  public func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try assets(options) { visibility, _ in
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
    var options = options ?? FetchOptions()
    options.includeHiddenAssets = true
    let wanted = options
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
    let identifiers = try snapshot.read { (database) throws(DatabaseError) -> [String?] in
      try paths.map { (path) throws(DatabaseError) -> String? in
        try database.value(of: .identifier, at: path.resolved ?? path)
      }
    }
    // This fetch checks what the client may see.
    var found: [String: Asset] = [:]
    for asset in try fetchAssets(withLocalIdentifiers: identifiers.compactMap(\.self)) {
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
    try result(incremental, storage, in: snapshots.now())
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
    try read { (database) throws(DatabaseError) in
      try database.value(
        "SELECT id FROM collection WHERE identifier = ? AND isList = 0", identifier)
    }
  }
}

// The same fetches in PhotoKit's spelling, with the library as a parameter.

extension Asset {
  /// Fetches assets; see ``PhotoLibrary/fetchAssets(with:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    with options: FetchOptions? = nil, in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(with: options)
  }

  /// Fetches the assets with these identifiers; see
  /// ``PhotoLibrary/fetchAssets(withLocalIdentifiers:options:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: FetchOptions? = nil,
    in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(withLocalIdentifiers: identifiers, options: options)
  }

  /// Fetches the assets of an album; see ``PhotoLibrary/fetchAssets(in:options:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    in collection: AssetCollection, options: FetchOptions? = nil, of library: PhotoLibrary
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(in: collection, options: options)
  }
}

extension AssetCollection {
  /// Fetches albums; see ``PhotoLibrary/fetchAssetCollections(with:subtype:options:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssetCollections(
    with type: CollectionType, subtype: SmartAlbum? = nil, options: FetchOptions? = nil,
    in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try library.fetchAssetCollections(with: type, subtype: subtype, options: options)
  }
}
