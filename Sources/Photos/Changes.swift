// PhotoKit's names begin with capital letters.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// PhotoKit's change requests with lists of NSArray and positions of IndexSet. A request for an album is optional there;
// here it is never `nil`.

/// What PhotoKit takes lists as; `[asset] as NSFastEnumeration` is one.
public typealias NSFastEnumeration = NSArray

extension NSArray {
  /// The assets, albums, lists and placeholders; another object in the list is a programming error.
  fileprivate var photoObjects: [PHObject] {
    map { object in
      guard let object = object as? PHObject else {
        preconditionFailure("\(type(of: object)) is no object of a photo library")
      }
      return object
    }
  }
}

extension AssetChangeRequest {
  /// Puts assets into the trash.
  public static func deleteAssets(_ assets: NSArray) { deleteAssets(assets.photoObjects) }
}

extension AssetCollectionChangeRequest {
  /// Begins to change an album; never `nil`.
  public convenience init!(for collection: PHAssetCollection) { self.init(changing: collection) }

  /// Begins to change an album whose assets were fetched; never `nil`. Positions count in that fetch.
  public convenience init!(for collection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
    self.init(changing: collection, assets: assets)
  }

  /// Deletes albums; their assets stay in the library.
  public static func deleteAssetCollections(_ collections: NSArray) {
    deleteAssetCollections(collections.photoObjects)
  }

  /// Adds assets or their placeholders at the end.
  public func addAssets(_ assets: NSArray) { addAssets(assets.photoObjects) }

  /// Removes assets; assets that are not in the album are ignored.
  public func removeAssets(_ assets: NSArray) { removeAssets(assets.photoObjects) }

  /// Inserts assets, each at the position that it will have.
  public func insertAssets(_ assets: [PHObject], at indexes: IndexSet) {
    insertAssets(assets, at: Array(indexes))
  }

  /// Inserts assets, each at the position that it will have.
  public func insertAssets(_ assets: NSArray, at indexes: IndexSet) {
    insertAssets(assets.photoObjects, at: indexes)
  }

  /// Removes the assets at these positions.
  public func removeAssets(at indexes: IndexSet) { removeAssets(at: Array(indexes)) }

  /// Replaces the assets at these positions.
  public func replaceAssets(at indexes: IndexSet, withAssets assets: [PHObject]) {
    replaceAssets(at: Array(indexes), with: assets)
  }

  /// Replaces the assets at these positions.
  public func replaceAssets(at indexes: IndexSet, withAssets assets: NSArray) {
    replaceAssets(at: indexes, withAssets: assets.photoObjects)
  }

  /// Moves assets; see the form with a list of positions.
  public func moveAssets(at indexes: IndexSet, to target: Int) {
    moveAssets(at: Array(indexes), to: target)
  }
}

extension CollectionListChangeRequest {
  /// Begins to change a list; never `nil`.
  public convenience init!(for list: PHCollectionList) { self.init(changing: list) }

  /// Deletes lists with all albums and lists in them; the assets stay in the library.
  public static func deleteCollectionLists(_ lists: NSArray) {
    deleteCollectionLists(lists.photoObjects)
  }

  /// Adds albums and lists at the end.
  public func addChildCollections(_ collections: NSArray) {
    addChildCollections(collections.photoObjects)
  }

  /// Removes albums and lists; they move to the top level.
  public func removeChildCollections(_ collections: NSArray) {
    removeChildCollections(collections.photoObjects)
  }

  /// Inserts albums and lists, each at the position that it will have.
  public func insertChildCollections(_ collections: [PHObject], at indexes: IndexSet) {
    insertChildCollections(collections, at: Array(indexes))
  }

  /// Removes the albums and lists at these positions.
  public func removeChildCollections(at indexes: IndexSet) {
    removeChildCollections(at: Array(indexes))
  }

  /// Moves albums and lists; see the form with a list of positions.
  public func moveChildCollections(at indexes: IndexSet, to target: Int) {
    moveChildCollections(at: Array(indexes), to: target)
  }
}
