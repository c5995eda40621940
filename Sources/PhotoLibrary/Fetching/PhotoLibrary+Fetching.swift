import PhotoEditing
import SafelightCatalog
import SafelightFiles

extension PhotoLibrary {
  /// Fetches assets.
  ///
  /// - Parameter options: What to fetch; `nil` fetches all that are not hidden, by creation date.
  /// - Returns: What the library holds now; nothing when access was not granted.
  /// - Throws: ``PhotoLibraryError``, such as
  ///   ``PhotoLibraryError/predicateNotSupported(key:of:)``.
  public func fetchAssets(
    with options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try assets(options) { visibility, _ in
      AssetQuery(.library, options, visibility: visibility)
    }
  }

  /// Fetches the assets of some identifiers; hidden ones too.
  ///
  /// The order is that of the options, not of the identifiers; those of no asset are left out, and so
  /// is the second of two that are the same.
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

  /// Fetches the assets of an album, in its order unless the options sort.
  ///
  /// - Returns: The album's assets as they are now; none when the album is gone.
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

  /// Fetches the assets whose originals stand at some paths; hidden ones too, those in the trash not.
  ///
  /// - Parameter paths: The files; relative ones too, and symbolic links are followed.
  /// - Returns: What was found for each path, in their order; `nil` where no asset is.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssets(at paths: [FilePath]) throws(PhotoLibraryError) -> [Asset?] {
    let snapshot = try snapshots.now()
    let identifiers = try snapshot.read { (database) throws(DatabaseError) -> [String?] in
      try paths.map { (path) throws(DatabaseError) -> String? in
        let path = path.resolved ?? path
        return try database.value(
          """
          SELECT asset.identifier FROM asset JOIN folder ON folder.id = asset.folder
          WHERE folder.path = ? AND asset.name = ? AND trashedDate IS NULL
          """, path.removingLastComponent().bytes, path.lastComponent?.bytes ?? [])
      }
    }
    // What may be seen is decided where everything else is fetched.
    var found: [String: Asset] = [:]
    for asset in try fetchAssets(withLocalIdentifiers: identifiers.compactMap(\.self)) {
      found[asset.localIdentifier] = asset
    }
    return identifiers.map { identifier in identifier.flatMap { found[$0] } }
  }

  /// Makes a result of a query, and of the same query again whenever it is asked for anew.
  ///
  /// - Parameter query: Makes the query by what may be seen then; `nil` finds nothing.
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

  /// Makes a result of the present, and knows how to do so again.
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
    // As it was at that moment, as everything else of the result.
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
  /// The row of an album of the user's; `nil` when it is gone.
  fileprivate func album(_ identifier: String) throws(PhotoLibraryError) -> Int64? {
    try read { (database) throws(DatabaseError) in
      try database.value(
        "SELECT id FROM collection WHERE identifier = ? AND isList = 0", identifier)
    }
  }
}

// The same fetches in PhotoKit's spelling, with the library that is asked.

extension Asset {
  /// Fetches assets; see ``PhotoLibrary/fetchAssets(with:)``.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public static func fetchAssets(
    with options: FetchOptions? = nil, in library: PhotoLibrary
  ) throws(PhotoLibraryError) -> FetchResult<Asset> {
    try library.fetchAssets(with: options)
  }

  /// Fetches the assets of some identifiers; see
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
