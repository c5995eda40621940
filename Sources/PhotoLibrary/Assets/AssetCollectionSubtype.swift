/// The subtypes of collections, with PhotoKit's names and numbers.
///
/// A library has no collections of some subtypes, such as videos; a fetch of these is empty. Smart albums that
/// PhotoKit does not know have the subtype ``smartAlbumGeneric``.
///
/// ```swift
/// let favorites = try library.fetchAssetCollections(
///   with: .smartAlbum, subtype: .smartAlbumFavorites, options: nil)
/// ```
public enum AssetCollectionSubtype: Int, Sendable, Hashable, CaseIterable, Codable {
  /// An album that the user made.
  case albumRegular = 2
  /// An album of an event, from iPhoto; a library has none.
  case albumSyncedEvent = 3
  /// An album of a person, from iPhoto; a library has none.
  case albumSyncedFaces = 4
  /// An album from iPhoto; a library has none.
  case albumSyncedAlbum = 5
  /// An album of imported photos; a library has none.
  case albumImported = 6
  /// The photo stream; a library has none.
  case albumMyPhotoStream = 100
  /// A shared album; a library has none.
  case albumCloudShared = 101
  /// A smart album that PhotoKit does not know: edited photos, upright photos, landscapes.
  case smartAlbumGeneric = 200
  /// Panoramas.
  case smartAlbumPanoramas = 201
  /// Videos; a library has none.
  case smartAlbumVideos = 202
  /// The favorites.
  case smartAlbumFavorites = 203
  /// Videos of slow things; a library has none.
  case smartAlbumTimelapses = 204
  /// The hidden photos.
  case smartAlbumAllHidden = 205
  /// All photos, the last added first.
  case smartAlbumRecentlyAdded = 206
  /// Bursts; a library has none.
  case smartAlbumBursts = 207
  /// Videos of fast things; a library has none.
  case smartAlbumSlomoVideos = 208
  /// All photos that are not hidden.
  case smartAlbumUserLibrary = 209
  /// Photos by the front camera; a library does not know them.
  case smartAlbumSelfPortraits = 210
  /// Screenshots.
  case smartAlbumScreenshots = 211
  /// Photos with a depth map.
  case smartAlbumDepthEffect = 212
  /// Photos with a short video.
  case smartAlbumLivePhotos = 213
  /// Animated pictures; a library does not know them.
  case smartAlbumAnimated = 214
  /// Long exposures; a library does not know them.
  case smartAlbumLongExposures = 215
  /// Photos that wait for a cloud; a library has none.
  case smartAlbumUnableToUpload = 216
  /// Every subtype.
  case any = 0x7FFF_FFFF_FFFF_FFFF
}

extension AssetCollection {
  /// Whether this is an album of the user or a smart album.
  public var assetCollectionType: CollectionType {
    switch kind {
    case .album: .album
    case .smartAlbum: .smartAlbum
    }
  }

  /// PhotoKit's subtype of the collection.
  public var assetCollectionSubtype: AssetCollectionSubtype {
    switch kind {
    case .album: .albumRegular
    case .smartAlbum(let album): album.subtype
    }
  }
}

extension AssetCollectionSubtype {
  /// Whether a fetch of this subtype finds the user's albums.
  var hasAlbums: Bool { self == .any || self == .albumRegular }

  /// Whether a fetch of this subtype finds a smart album. As in PhotoKit, `albumRegular` finds all of them.
  func has(_ album: AssetCollection.SmartAlbum) -> Bool {
    self == .any || self == .albumRegular || self == album.subtype
  }
}
