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
