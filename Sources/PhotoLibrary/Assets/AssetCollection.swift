import FoundationEssentials
import SafelightCatalog
import SafelightFiles

/// An album of the user or a list of albums, where a fetch gives both: an ``AssetCollection`` or a ``CollectionList``.
///
/// Collections are values of classes: nothing of them changes, and two are equal when everything that they say is.
///
/// ```swift
/// switch collection {
/// case let album as AssetCollection: show(album)
/// case let list as CollectionList: open(list)
/// default: break
/// }
/// ```
public class UserCollection: PhotoLibraryObject, @unchecked Sendable {
  // Neither this class nor those below it, which are all in this file, have anything that changes.

  /// The identifier of the album or list, which stays while it exists.
  public let localIdentifier: String
  /// The name of the album or list; for people.
  @_disfavoredOverload  // `Photos` has it with PhotoKit's type, as all below that are marked so.
  public let localizedTitle: String

  /// The row in the catalog; negative for smart albums, which are in no table.
  let row: Int64
  /// The catalog's file; see ``LibraryObject``.
  let library: FilePath?

  fileprivate init(_ localIdentifier: String, _ title: String, row: Int64, library: FilePath?) {
    (self.localIdentifier, localizedTitle) = (localIdentifier, title)
    (self.row, self.library) = (row, library)
  }

  /// Whether a program may change the album or the list in some way.
  public func canPerform(_ operation: CollectionEditOperation) -> Bool { false }

  package func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .localIdentifier: .text(localIdentifier)
    case .title: .text(localizedTitle)
    default: .null
    }
  }

  fileprivate func isEqual(to other: UserCollection) -> Bool {
    type(of: self) == type(of: other) && localIdentifier == other.localIdentifier
      && localizedTitle == other.title && row == other.row && library == other.library
  }

  public static func == (one: UserCollection, other: UserCollection) -> Bool {
    one.isEqual(to: other)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }
}

/// An ordered set of assets: an album of the user, or a smart album.
///
/// ```swift
/// for album in try library.fetchAssetCollections(with: .album) {
///   print(album.localizedTitle, try library.fetchAssets(in: album).count)
/// }
/// ```
public final class AssetCollection: UserCollection, @unchecked Sendable {
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

  /// The kind of collection.
  public let kind: Kind
  /// When the album was made; `nil` for a smart album.
  public let creationDate: Date?
  /// The number of visible assets at the fetch; `nil` when the number is not known, as for clients with
  /// limited access.
  @_disfavoredOverload
  public let estimatedAssetCount: Int?

  init(
    localIdentifier: String, kind: Kind, localizedTitle: String, creationDate: Date?,
    estimatedAssetCount: Int?, row: Int64, library: FilePath? = nil
  ) {
    (self.kind, self.creationDate) = (kind, creationDate)
    self.estimatedAssetCount = estimatedAssetCount
    super.init(localIdentifier, localizedTitle, row: row, library: library)
  }

  /// Whether a program may change the album in some way. A smart album only has its assets deleted.
  public override func canPerform(_ operation: CollectionEditOperation) -> Bool {
    if case .album = kind { true } else { operation == .deleteContent }
  }

  package override func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .creationDate: creationDate.databaseValue
    case .localDate: (creationDate?.onLocalClock).databaseValue
    case .estimatedAssetCount: visibleAssetCount.databaseValue
    default: super.value(of: key)
    }
  }

  fileprivate override func isEqual(to other: UserCollection) -> Bool {
    guard super.isEqual(to: other), let other = other as? AssetCollection else { return false }
    return kind == other.kind && creationDate == other.creationDate
      && visibleAssetCount == other.visibleAssetCount
  }
}

/// A list of albums and of other lists, as a folder has files and folders.
///
/// ```swift
/// for case let list as CollectionList in try library.fetchTopLevelUserCollections() {
///   print(list.localizedTitle)
/// }
/// ```
public final class CollectionList: UserCollection, @unchecked Sendable {
  /// When the list was made.
  public let creationDate: Date

  init(
    localIdentifier: String, localizedTitle: String, creationDate: Date, row: Int64,
    library: FilePath? = nil
  ) {
    self.creationDate = creationDate
    super.init(localIdentifier, localizedTitle, row: row, library: library)
  }

  /// Whether a program may change the list in some way; it may in all but deleting the content, since a list has
  /// no assets.
  public override func canPerform(_ operation: CollectionEditOperation) -> Bool {
    operation != .deleteContent
  }

  package override func value(of key: FetchKey) -> DatabaseValue {
    switch key {
    case .creationDate: creationDate.databaseValue
    case .localDate: creationDate.onLocalClock.databaseValue
    default: super.value(of: key)
    }
  }

  fileprivate override func isEqual(to other: UserCollection) -> Bool {
    super.isEqual(to: other) && creationDate == (other as? CollectionList)?.creationDate
  }
}

extension AssetCollection.SmartAlbum {
  /// The album's name for people, the kind of its assets, and PhotoKit's subtype.
  private var facts: (title: String, assets: AssetKind, subtype: AssetCollectionSubtype) {
    switch self {
    case .userLibrary: ("Library", .visible, .smartAlbumUserLibrary)
    case .favorites: ("Favorites", .favorites, .smartAlbumFavorites)
    case .recentlyAdded: ("Recently Added", .visible, .smartAlbumRecentlyAdded)
    case .edited: ("Edited", .edited, .smartAlbumGeneric)
    case .allHidden: ("Hidden", .hidden, .smartAlbumAllHidden)
    case .panoramas: ("Panoramas", .panoramas, .smartAlbumPanoramas)
    case .screenshots: ("Screenshots", .screenshots, .smartAlbumScreenshots)
    case .livePhotos: ("Live Photos", .livePhotos, .smartAlbumLivePhotos)
    case .depthEffect: ("Depth Effect", .depthEffect, .smartAlbumDepthEffect)
    case .portraits: ("Upright", .portraits, .smartAlbumGeneric)
    case .landscapes: ("Landscape", .landscapes, .smartAlbumGeneric)
    }
  }

  /// The album's name; for people.
  var title: String { facts.title }

  /// The kind of the album's assets.
  var assets: AssetKind { facts.assets }

  /// PhotoKit's subtype of the album.
  public var subtype: AssetCollectionSubtype { facts.subtype }

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

extension UserCollection: CollectedObject {}

extension AssetCollection {
  /// A smart album.
  convenience init(
    _ album: SmartAlbum, _ visibility: Access.Visibility, in database: Database
  ) throws(DatabaseError) {
    let number = (SmartAlbum.allCases.firstIndex(of: album) ?? 0) + 1
    let count: Int? =
      visibility == .all
      ? try database.value("SELECT \(album.assets.rawValue) FROM tally") : nil
    self.init(
      localIdentifier: album.localIdentifier, kind: .smartAlbum(album),
      localizedTitle: album.title, creationDate: nil, estimatedAssetCount: count,
      row: -Int64(number), library: database.path)
  }

  /// Albums of the user, in the user's order.
  static func albums(
    where condition: String = "?", _ value: DatabaseValue = .integer(1), in database: Database
  ) throws(DatabaseError) -> [AssetCollection] {
    try UserCollection.all(where: "isList = 0 AND \(condition)", value, in: database).compactMap {
      $0 as? AssetCollection
    }
  }
}

extension UserCollection {
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
        CollectionList(
          localIdentifier: row[1], localizedTitle: row[3], creationDate: row[4], row: row[0],
          library: row.path)
      } else {
        AssetCollection(
          localIdentifier: row[1], kind: .album, localizedTitle: row[3], creationDate: row[4],
          estimatedAssetCount: row[5], row: row[0], library: row.path)
      }
    }
  }
}

// In `Photos`, properties with PhotoKit's types hide those that these are.

extension UserCollection {
  package var title: String { localizedTitle }
}

extension AssetCollection {
  package var visibleAssetCount: Int? { estimatedAssetCount }
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

extension UserCollection {
  /// Whether it may have assets: whether it is an album.
  public var canContainAssets: Bool { self is AssetCollection }

  /// Whether it may have albums and lists: whether it is a list.
  public var canContainCollections: Bool { self is CollectionList }
}
