import FoundationEssentials
import SafelightCatalog
import SafelightFiles

/// An ordered set of assets: an album of the user, or a smart album.
///
/// ```swift
/// for album in try library.fetchAssetCollections(with: .album) {
///   print(album.localizedTitle, try library.fetchAssets(in: album).count)
/// }
/// ```
public struct AssetCollection: PhotoLibraryObject {
  /// The kind of a collection.
  public enum Kind: Sendable, Hashable {
    /// An album that the user made and fills.
    case album
    /// A collection of all assets of some kind.
    case smartAlbum(SmartAlbum)
  }

  /// The kinds of collection that a program can fetch; the numbers are PhotoKit's.
  public enum CollectionType: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Albums of the user.
    case album = 1
    /// Smart albums.
    case smartAlbum = 2
  }

  /// The smart albums: collections of all assets of some kind.
  public enum SmartAlbum: String, Sendable, Hashable, CaseIterable, Codable {
    /// All photos that are not hidden.
    case userLibrary
    /// The favorites.
    case favorites
    /// All photos, the last added first.
    case recentlyAdded
    /// All edited photos.
    case edited
    /// The hidden photos.
    case allHidden
    /// Panoramas.
    case panoramas
    /// Screenshots.
    case screenshots
    /// Photos with a short video.
    case livePhotos
    /// Photos with a depth map.
    case depthEffect
    /// Photos that are taller than wide.
    case portraits
    /// Photos that are wider than tall.
    case landscapes
  }

  /// The collection's identifier, which stays while the collection exists.
  public let localIdentifier: String
  /// The kind of collection.
  public let kind: Kind
  /// The album's name; for people.
  @_disfavoredOverload  // `Photos` has it with PhotoKit's type, as all below that are marked so.
  public let localizedTitle: String
  /// When the album was made; `nil` for a smart album.
  public let creationDate: Date?
  /// The number of visible assets at the fetch; `nil` when the number is not known, as for clients with
  /// limited access.
  @_disfavoredOverload
  public let estimatedAssetCount: Int?

  /// The row in the catalog; negative for smart albums.
  let row: Int64
  /// The catalog's file; see ``LibraryObject``.
  var library: FilePath?
}

/// A list of albums and of other lists, as a folder has files and folders.
///
/// ```swift
/// for case .list(let list) in try library.fetchTopLevelUserCollections() { print(list.localizedTitle) }
/// ```
public struct CollectionList: PhotoLibraryObject {
  /// The list's identifier, which stays while the list exists.
  public let localIdentifier: String
  /// The list's name; for people.
  @_disfavoredOverload
  public let localizedTitle: String
  /// When the list was made.
  public let creationDate: Date

  /// The row in the catalog.
  let row: Int64
  /// The catalog's file; see ``LibraryObject``.
  var library: FilePath?
}

/// An album of the user or a list of albums, where a fetch gives both.
///
/// ```swift
/// switch collection {
/// case .album(let album): show(album)
/// case .list(let list): open(list)
/// }
/// ```
public enum UserCollection: PhotoLibraryObject {
  /// An album.
  case album(AssetCollection)
  /// A list of albums and lists.
  case list(CollectionList)

  /// The identifier of the album or list.
  public var localIdentifier: String {
    switch self {
    case .album(let album): album.localIdentifier
    case .list(let list): list.localIdentifier
    }
  }

  /// The name of the album or list; for people.
  @_disfavoredOverload
  public var localizedTitle: String {
    switch self {
    case .album(let album): album.localizedTitle
    case .list(let list): list.localizedTitle
    }
  }
}

extension AssetCollection.SmartAlbum {
  /// The album's name; for people.
  var title: String {
    switch self {
    case .userLibrary: "Library"
    case .favorites: "Favorites"
    case .recentlyAdded: "Recently Added"
    case .edited: "Edited"
    case .allHidden: "Hidden"
    case .panoramas: "Panoramas"
    case .screenshots: "Screenshots"
    case .livePhotos: "Live Photos"
    case .depthEffect: "Depth Effect"
    case .portraits: "Upright"
    case .landscapes: "Landscape"
    }
  }

  /// The kind of the album's assets.
  var assets: AssetKind {
    switch self {
    case .userLibrary, .recentlyAdded: .visible
    case .favorites: .favorites
    case .edited: .edited
    case .allHidden: .hidden
    case .panoramas: .panoramas
    case .screenshots: .screenshots
    case .livePhotos: .livePhotos
    case .depthEffect: .depthEffect
    case .portraits: .portraits
    case .landscapes: .landscapes
    }
  }

  /// The album's identifier, the same in every library.
  var localIdentifier: String { "smart-album/\(rawValue)" }

  /// The query for the album's assets, with a fetch's options.
  func query(_ options: FetchOptions?, visibility: Access.Visibility) -> AssetQuery {
    let options = options?.copy() ?? FetchOptions()
    if self == .recentlyAdded, options.sortDescriptors.isEmpty {
      options.sortDescriptors = [FetchSortDescriptor(.addedDate, ascending: false)]
    }
    if self == .allHidden { options.includeHiddenAssets = true }
    return AssetQuery(.library, options, also: assets.condition, visibility: visibility)
  }
}

/// An album, a list of albums, or either.
protocol CollectedObject: LibraryObject, FetchSubject {
  /// The row in the catalog; negative for smart albums, which are in no table.
  var row: Int64 { get }
}

extension AssetCollection: CollectedObject {
  /// A smart album.
  init(
    _ album: SmartAlbum, _ visibility: Access.Visibility, in database: Database
  ) throws(DatabaseError) {
    let number = (SmartAlbum.allCases.firstIndex(of: album) ?? 0) + 1
    self.init(
      localIdentifier: album.localIdentifier, kind: .smartAlbum(album),
      localizedTitle: album.title, creationDate: nil,
      estimatedAssetCount: visibility == .all
        ? try database.value("SELECT \(album.assets.rawValue) FROM tally") : nil,
      row: -Int64(number), library: database.path)
  }

  /// Albums of the user, in the user's order.
  static func albums(
    where condition: String = "?", _ value: DatabaseValue = .integer(1), in database: Database
  ) throws(DatabaseError) -> [AssetCollection] {
    try UserCollection.all(where: "isList = 0 AND \(condition)", value, in: database).compactMap {
      if case .album(let album) = $0 { album } else { nil }
    }
  }

  package func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .title: .text(localizedTitle)
    case .creationDate: creationDate.databaseValue
    case .localDate: (creationDate?.onLocalClock).databaseValue
    case .estimatedAssetCount: estimatedAssetCount.databaseValue
    default: .null
    }
  }
}

extension CollectionList: CollectedObject {
  package func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .title: .text(localizedTitle)
    case .creationDate: creationDate.databaseValue
    case .localDate: creationDate.onLocalClock.databaseValue
    default: .null
    }
  }
}

extension UserCollection: CollectedObject {
  var library: FilePath? {
    switch self {
    case .album(let album): album.library
    case .list(let list): list.library
    }
  }

  var row: Int64 {
    switch self {
    case .album(let album): album.row
    case .list(let list): list.row
    }
  }

  package func value(of key: FetchKey) -> DatabaseValue {
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
            localIdentifier: row[1], localizedTitle: row[3], creationDate: row[4], row: row[0],
            library: row.path))
      } else {
        .album(
          AssetCollection(
            localIdentifier: row[1], kind: .album, localizedTitle: row[3], creationDate: row[4],
            estimatedAssetCount: row[5], row: row[0], library: row.path))
      }
    }
  }
}

// In `Photos`, properties with PhotoKit's types hide those that these are.

extension AssetCollection {
  package var title: String { localizedTitle }
  package var visibleAssetCount: Int? { estimatedAssetCount }
}

extension CollectionList {
  package var title: String { localizedTitle }
}

extension UserCollection {
  package var title: String { localizedTitle }
}

// MARK: - What can be done with them

/// What a program may do with an album or a list; the numbers are PhotoKit's.
public enum CollectionEditOperation: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Put what is in it into the trash.
  case deleteContent = 1
  /// Take something out of it.
  case removeContent = 2
  /// Put something into it that is in the library.
  case addContent = 3
  /// Put something new into it.
  case createContent = 4
  /// Change the order of what is in it.
  case rearrangeContent = 5
  /// Delete it.
  case delete = 6
  /// Give it another name.
  case rename = 7
}

extension AssetCollection {
  /// Whether a program may change the album in some way. A smart album only has its assets deleted.
  public func canPerform(_ operation: CollectionEditOperation) -> Bool {
    if case .album = kind { true } else { operation == .deleteContent }
  }
}

extension CollectionList {
  /// Whether a program may change the list in some way; it may in all but deleting the content, since a list has
  /// no assets.
  public func canPerform(_ operation: CollectionEditOperation) -> Bool {
    operation != .deleteContent
  }
}

extension UserCollection {
  /// Whether a program may change the album or the list in some way.
  public func canPerform(_ operation: CollectionEditOperation) -> Bool {
    switch self {
    case .album(let album): album.canPerform(operation)
    case .list(let list): list.canPerform(operation)
    }
  }

  /// Whether it may have assets: whether it is an album.
  public var canContainAssets: Bool { if case .album = self { true } else { false } }

  /// Whether it may have albums and lists: whether it is a list.
  public var canContainCollections: Bool { !canContainAssets }
}
