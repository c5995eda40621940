import FoundationEssentials

/// An ordered set of assets: an album of the user's, or one that fills itself.
public struct AssetCollection: Sendable, Hashable {
  /// What a collection is.
  public enum Kind: Sendable, Hashable {
    /// Made and filled by the user.
    case album
    /// Filled by what its assets are.
    case smartAlbum(SmartAlbum)
  }

  /// The collections that fill themselves.
  public enum SmartAlbum: String, Sendable, Hashable, CaseIterable {
    /// All photos that are not hidden.
    case userLibrary
    /// The favorites.
    case favorites
    /// What the library took in last, newest first.
    case recentlyAdded
    /// All edited photos.
    case edited
    /// The hidden photos.
    case allHidden
    /// Panoramas.
    case panoramas
    /// Pictures of screens.
    case screenshots
    /// Photos with a short video.
    case livePhotos
    /// Photos with a map of depths.
    case depthEffect
    /// Photos that are higher than wide.
    case portraits
    /// Photos that are wider than high.
    case landscapes
  }

  /// What names the collection for as long as it exists.
  public let localIdentifier: String
  /// What the collection is.
  public let kind: Kind
  /// The album's name; for people.
  public let localizedTitle: String
  /// When the album was made; `nil` for those that fill themselves.
  public let creationDate: Date?
  /// How many assets it showed when it was fetched, hidden ones left out; `nil` when that is not
  /// known, as for clients that see a selection.
  public let estimatedAssetCount: Int?

  /// The row in the catalog; negative for those that fill themselves.
  let row: Int64
}

/// A list of albums and of other such lists, like folders on a disk.
public struct CollectionList: Sendable, Hashable {
  /// What names the list for as long as it exists.
  public let localIdentifier: String
  /// The list's name; for people.
  public let localizedTitle: String
  /// When the list was made.
  public let creationDate: Date

  /// The row in the catalog.
  let row: Int64
}
