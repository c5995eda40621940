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

extension Asset: FetchSubject {
  func value(of key: FetchKey) -> FetchValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .creationDate: creationDate.fetchValue
    case .modificationDate: .date(modificationDate)
    case .addedDate: .date(addedDate)
    case .mediaType: mediaType.fetchValue
    case .mediaSubtypes: mediaSubtypes.fetchValue
    case .duration: .real(0)
    case .pixelWidth: pixelWidth.fetchValue
    case .pixelHeight: pixelHeight.fetchValue
    case .favorite: .truth(isFavorite)
    case .hidden: .truth(isHidden)
    case .hasAdjustments: .truth(hasAdjustments)
    case .adjustmentFormatIdentifier: adjustmentFormatIdentifier.fetchValue
    case .latitude: (location?.latitude).fetchValue
    case .longitude: (location?.longitude).fetchValue
    case .filename: (path.lastComponent?.string).fetchValue
    case .path: .text(path.string)
    case .camera: camera.fetchValue
    case .title, .estimatedAssetCount: .null
    }
  }
}
