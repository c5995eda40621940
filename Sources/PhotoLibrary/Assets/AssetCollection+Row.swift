import FoundationEssentials

/// An album, a list of albums, or either.
protocol CollectedObject: PhotoLibraryObject, FetchSubject {
  /// The row in the catalog; negative for what is in no table.
  var row: Int64 { get }
}

extension AssetCollection: CollectedObject {
  /// An album that fills itself.
  init(
    _ album: SmartAlbum, _ visibility: Access.Visibility, in database: Database
  ) throws(DatabaseError) {
    let number = (SmartAlbum.allCases.firstIndex(of: album) ?? 0) + 1
    self.init(
      localIdentifier: album.localIdentifier, kind: .smartAlbum(album),
      localizedTitle: album.title, creationDate: nil,
      estimatedAssetCount: visibility == .all
        ? try database.value("SELECT \(album.tally.rawValue) FROM tally") : nil,
      row: -Int64(number))
  }

  /// Albums of the user's, in their order.
  static func albums(
    where condition: String = "?", _ value: DatabaseValue = .integer(1), in database: Database
  ) throws(DatabaseError) -> [AssetCollection] {
    try UserCollection.all(where: "isList = 0 AND \(condition)", value, in: database).compactMap {
      if case .album(let album) = $0 { album } else { nil }
    }
  }

  func value(of key: FetchKey) -> FetchValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .title: .text(localizedTitle)
    case .creationDate: creationDate.fetchValue
    case .estimatedAssetCount: estimatedAssetCount.fetchValue
    default: .null
    }
  }
}

extension CollectionList: CollectedObject {
  func value(of key: FetchKey) -> FetchValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .title: .text(localizedTitle)
    case .creationDate: creationDate.fetchValue
    default: .null
    }
  }
}

extension UserCollection: CollectedObject {
  var row: Int64 {
    switch self {
    case .album(let album): album.row
    case .list(let list): list.row
    }
  }

  func value(of key: FetchKey) -> FetchValue {
    switch self {
    case .album(let album): album.value(of: key)
    case .list(let list): list.value(of: key)
    }
  }

  /// Albums and lists, in the user's order.
  static func all(
    where condition: String, _ value: DatabaseValue, in database: Database
  ) throws(DatabaseError) -> [UserCollection] {
    try database.rows(
      """
      SELECT collection.id, identifier, isList, title, creationDate, coalesce(visible, 0)
      FROM collection LEFT JOIN albumTally ON albumTally.album = collection.id
      WHERE \(condition) ORDER BY list, position, collection.id
      """, [value]
    ) { row in
      if row[2] as Bool {
        .list(
          CollectionList(
            localIdentifier: row[1], localizedTitle: row[3], creationDate: row[4], row: row[0]))
      } else {
        .album(
          AssetCollection(
            localIdentifier: row[1], kind: .album, localizedTitle: row[3], creationDate: row[4],
            estimatedAssetCount: row[5], row: row[0]))
      }
    }
  }
}
