// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// PhotoKit's fetches from the shared library, which do not throw. As in PhotoKit, a predicate or an order that
// objects do not have is a programming error and ends the program. When the library cannot be read the result is
// empty, and `PHPhotoLibrary.shared().unavailabilityReason` says why; the forms of PhotoLibraryKit throw it.

/// What a fetch found.
private func found<Object>(
  _ fetch: () throws(PhotoLibraryError) -> FetchResult<Object>
) -> FetchResult<Object> {
  do throws(PhotoLibraryError) { return try fetch() } catch {
    switch error {
    case .predicateNotSupported, .invalidValue: preconditionFailure(error.description)
    default: return FetchResult()
    }
  }
}

extension Asset {
  /// Fetches assets of the shared library.
  public static func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<Asset> {
    found { () throws(PhotoLibraryError) in try PhotoLibrary.shared().fetchAssets(with: options) }
  }

  /// Fetches the assets of a medium; a library has photos only.
  public static func fetchAssets(
    with mediaType: PHAssetMediaType, options: PHFetchOptions?
  ) -> PHFetchResult<Asset> {
    found { () throws(PhotoLibraryError) in
      try fetchAssets(with: mediaType, options: options, in: .shared())
    }
  }

  /// Fetches the assets of an album.
  public static func fetchAssets(
    in collection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<Asset> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchAssets(in: collection, options: options)
    }
  }

  /// Fetches the assets with these identifiers.
  public static func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<Asset> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchAssets(withLocalIdentifiers: identifiers, options: options)
    }
  }

  /// Fetches the first assets of an album, of which PhotoKit makes its cover.
  public static func fetchKeyAssets(
    in collection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<Asset>? {
    let options = options?.copy() ?? PHFetchOptions()
    if options.fetchLimit == 0 { options.fetchLimit = 3 }
    return fetchAssets(in: collection, options: options)
  }
}

extension AssetCollection {
  /// Fetches albums of the shared library.
  public static func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<AssetCollection> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchAssetCollections(
        with: type, subtype: subtype, options: options)
    }
  }

  /// Fetches the albums with these identifiers.
  public static func fetchAssetCollections(
    withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
  ) -> PHFetchResult<AssetCollection> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchAssetCollections(
        withLocalIdentifiers: identifiers, options: options)
    }
  }

  /// Fetches the user's albums that have an asset. No smart album is found.
  public static func fetchAssetCollectionsContaining(
    _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
  ) -> PHFetchResult<AssetCollection> {
    guard type == .album else { return PHFetchResult() }
    return found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchAssetCollectionsContaining(asset, options: options)
    }
  }
}

extension UserCollection {
  /// Fetches the albums and lists that are in no list.
  public static func fetchTopLevelUserCollections(
    with options: PHFetchOptions?
  ) -> PHFetchResult<UserCollection> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchTopLevelUserCollections(with: options)
    }
  }

  /// Fetches the albums and lists in a list.
  public static func fetchCollections(
    in list: PHCollectionList, options: PHFetchOptions?
  ) -> PHFetchResult<UserCollection> {
    found { () throws(PhotoLibraryError) in
      try PhotoLibrary.shared().fetchCollections(in: list, options: options)
    }
  }
}

extension FetchResult {
  /// Calls a function with every object and its index, until it sets `stop`, in PhotoKit's form.
  @_disfavoredOverload
  public func enumerateObjects(
    _ block: (Object, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stop = ObjCBool(false)
    for (index, object) in enumerated() {
      block(object, index, &stop)
      if stop.boolValue { return }
    }
  }

  /// Calls a function with every object and its index, from the last to the first with `.reverse`.
  /// `.concurrent` makes no difference.
  public func enumerateObjects(
    options: NSEnumerationOptions,
    using block: (Object, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    enumerateObjects(at: IndexSet(integersIn: indices), options: options, using: block)
  }

  /// Calls a function with the objects at some indexes, as the other form does.
  public func enumerateObjects(
    at indexes: IndexSet, options: NSEnumerationOptions = [],
    using block: (Object, Int, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    var stop = ObjCBool(false)
    for index in options.contains(.reverse) ? Array(indexes.reversed()) : Array(indexes) {
      block(self[index], index, &stop)
      if stop.boolValue { return }
    }
  }

  /// The objects at some indexes.
  public func objects(at indexes: IndexSet) -> [Object] { indexes.map { self[$0] } }
}

// Swift prefers these to PhotoLibraryKit's, which is optional, because they are for one type of object.

extension FetchResult where Object == Asset {
  /// The index of an object; `NSNotFound` when it is not in the result.
  public func index(of object: PHAsset) -> Int { firstIndex(of: object) ?? NSNotFound }
}

extension FetchResult where Object == AssetCollection {
  /// The index of an object; `NSNotFound` when it is not in the result.
  public func index(of object: PHAssetCollection) -> Int { firstIndex(of: object) ?? NSNotFound }
}

extension FetchResult where Object == UserCollection {
  /// The index of an object; `NSNotFound` when it is not in the result.
  public func index(of object: PHCollection) -> Int { firstIndex(of: object) ?? NSNotFound }
}

// PhotoKit's types, which are optional where PhotoLibraryKit's are not, and the other way round.

extension UserCollection {
  /// The name of the album or list; never `nil`.
  public var localizedTitle: String? { title }
}

extension AssetCollection {
  /// The number of visible assets at the fetch; `NSNotFound` when the number is not known.
  public var estimatedAssetCount: Int { visibleAssetCount ?? NSNotFound }
}
