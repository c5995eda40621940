import SafelightCatalog

extension PhotoLibrary {
  /// Fetches albums.
  ///
  /// - Parameters:
  ///   - type: Albums of the user, or smart albums.
  ///   - subtype: One smart album; `nil` fetches all albums of the type.
  ///   - options: Filters and sorts by `.title`, `.creationDate`, `.estimatedAssetCount` and
  ///     `.localIdentifier`; without an order albums come in the user's order.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssetCollections(
    with type: AssetCollection.CollectionType, subtype: AssetCollection.SmartAlbum? = nil,
    options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try collections(type, options, hasAlbums: subtype == nil) { subtype ?? $0 == $0 }
  }

  /// Fetches the albums of one of PhotoKit's subtypes. The result is empty for a subtype that no library has.
  ///
  /// - Parameters:
  ///   - type: Albums of the user, or smart albums.
  ///   - subtype: `albumRegular` and `any` are all albums of the type.
  ///   - options: As for the other form.
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssetCollections(
    with type: AssetCollection.CollectionType, subtype: AssetCollectionSubtype,
    options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try collections(type, options, hasAlbums: subtype.hasAlbums) { subtype.has($0) }
  }

  private func collections(
    _ type: AssetCollection.CollectionType, _ options: FetchOptions?, hasAlbums: Bool,
    _ hasSmartAlbum: @escaping @Sendable (AssetCollection.SmartAlbum) -> Bool
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try collections(options) { visibility, database in
      switch type {
      case .smartAlbum:
        let albums = AssetCollection.SmartAlbum.allCases.filter(hasSmartAlbum)
        return try albums.map { album in
          try AssetCollection(album, visibility, in: database)
        }
      case .album where hasAlbums && visibility == .all:
        return try AssetCollection.albums(in: database)
      case .album: return []
      }
    }
  }

  /// Fetches the albums with these identifiers, of both types.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    let wanted = Set(identifiers)
    return try collections(options) { visibility, database in
      var found: [AssetCollection] = []
      for album in AssetCollection.SmartAlbum.allCases where wanted.contains(album.localIdentifier)
      {
        found.append(try AssetCollection(album, visibility, in: database))
      }
      guard visibility == .all else { return found }
      return try found
        + AssetCollection.albums(
          where: "identifier IN (SELECT value FROM json_each(?))",
          SQLText.list(wanted.sorted().map { .text($0) }), in: database)
    }
  }

  /// Fetches the user's albums that have an asset; smart albums are left out.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public func fetchAssetCollectionsContaining(
    _ asset: Asset, options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<AssetCollection> {
    try checkOrigin(of: asset)
    let identifier = asset.localIdentifier
    return try collections(options) { visibility, database in
      guard visibility == .all else { return [] }
      return try AssetCollection.albums(
        where: """
          collection.id IN (SELECT member.album FROM member
            WHERE member.asset = (SELECT id FROM asset WHERE identifier = ?))
          """, .text(identifier), in: database)
    }
  }

  /// Fetches the albums and lists that are in no list.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public func fetchTopLevelUserCollections(
    with options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<UserCollection> {
    try collections(options) { visibility, database in
      guard visibility == .all else { return [] }
      return try UserCollection.all(where: "list IS ?", .null, in: database)
    }
  }

  /// Fetches the albums and lists in a list.
  ///
  /// - Throws: ``PhotoLibraryError``.
  public func fetchCollections(
    in list: CollectionList, options: FetchOptions? = nil
  ) throws(PhotoLibraryError) -> FetchResult<UserCollection> {
    try checkOrigin(of: list)
    let identifier = list.localIdentifier
    return try collections(options) { visibility, database in
      guard visibility == .all else { return [] }
      return try UserCollection.all(
        where: "list = (SELECT id FROM collection WHERE identifier = ?)", .text(identifier),
        in: database)
    }
  }

  /// Reads albums and lists, then filters and sorts them in memory: people have hundreds of albums, not
  /// millions, and smart albums are in no table.
  private func collections<Object: CollectedObject>(
    _ options: FetchOptions?,
    _ read:
      @escaping @Sendable (Access.Visibility, Database) throws -> [Object]
  ) throws(PhotoLibraryError) -> FetchResult<Object> {
    try options?.check(for: .collection)
    let options = options?.copy() ?? FetchOptions()
    return try result(options.wantsIncrementalChangeDetails) {
      (visibility, snapshot) throws(PhotoLibraryError) in
      let all = try snapshot.read { database in try read(visibility, database) }
      let objects = options.applied(to: all)
      return .list(ContiguousArray(objects), rows: ContiguousArray(objects.map(\.row)))
    }
  }
}
