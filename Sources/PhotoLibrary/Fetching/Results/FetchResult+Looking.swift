extension FetchResult {
  /// Where an object stands; `nil` when it is not in the result.
  ///
  /// It is looked for by its identifier: a later state of the same object is found too.
  public func index(of object: Object) -> Int? {
    switch storage {
    case .list(let objects, _):
      return objects.firstIndex { $0.localIdentifier == object.localIdentifier }
    case .assets(let assets, _):
      guard let asset = object as? Asset else { return nil }
      let rows = Self.read { () throws(PhotoLibraryError) in try assets.rows() }
      // A row may have been given to another asset since.
      guard let index = rows.firstIndex(of: asset.row),
        self[index].localIdentifier == object.localIdentifier
      else { return nil }
      return index
    }
  }

  /// Where an object stands; `nil` when it is not in the result.
  public func firstIndex(of object: Object) -> Int? { index(of: object) }

  /// Whether an object is in the result, in this or another state.
  public func contains(_ object: Object) -> Bool { index(of: object) != nil }

  /// The objects at some indexes, such as those of a range; all must be below ``count``.
  public func objects(at indexes: some Sequence<Int>) -> [Object] { indexes.map { self[$0] } }
}

extension FetchResult where Object == Asset {
  /// How many of the assets are photos, videos and so on.
  public func countOfAssets(with mediaType: AssetMediaType) -> Int {
    mediaType == .image ? count : 0
  }

  /// How many of the assets are of all these kinds.
  public func countOfAssets(with subtypes: AssetMediaSubtype) -> Int {
    guard case .assets(let assets, _) = storage else { return 0 }
    return Self.read { () throws(PhotoLibraryError) in
      try assets.count(of: .subtype(subtypes))
    }
  }
}
