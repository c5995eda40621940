import FoundationEssentials

extension AssetCollection {
  /// What to fetch collections by.
  public enum CollectionType: Sendable, Hashable {
    /// Albums that the user makes.
    case album
    /// Albums that fill themselves.
    case smartAlbum
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

  /// The number that is kept of its assets.
  var tally: Tally {
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

  /// Its identifier, the same in every library.
  var localIdentifier: String { "smart-album/\(rawValue)" }

  /// Its assets, with what options ask for beyond that.
  func query(_ options: FetchOptions?, visibility: Access.Visibility) -> AssetQuery {
    var options = options ?? FetchOptions()
    if self == .recentlyAdded, options.sortDescriptors.isEmpty {
      options.sortDescriptors = [FetchSortDescriptor(.addedDate, ascending: false)]
    }
    if self == .allHidden { options.includeHiddenAssets = true }
    return AssetQuery(.library, options, also: tally.condition, visibility: visibility)
  }
}
