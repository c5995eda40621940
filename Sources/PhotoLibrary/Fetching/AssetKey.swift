import FoundationEssentials

/// What assets, albums and lists of albums can be filtered and sorted by, with the type of its values.
///
/// ```swift
/// let wanted: FetchPredicate = .isFavorite == true && .pixelWidth > .pixelHeight
/// ```
public struct AssetKey<Value: Sendable>: Sendable, Hashable {
  let key: FetchKey
}

extension AssetKey where Value == Bool {
  /// Whether somebody marked it as a favorite.
  public static var isFavorite: Self { Self(key: .favorite) }
  /// Whether it is hidden; hidden assets are fetched only when the options include them.
  public static var isHidden: Self { Self(key: .hidden) }
  /// Whether it is edited.
  public static var hasAdjustments: Self { Self(key: .hasAdjustments) }
}

extension AssetKey where Value == Date {
  /// When the photo was taken, or the album made.
  public static var creationDate: Self { Self(key: .creationDate) }
  /// When the original or its edit last changed.
  public static var modificationDate: Self { Self(key: .modificationDate) }
  /// When the library took the photo in.
  public static var addedDate: Self { Self(key: .addedDate) }
}

extension AssetKey where Value == Int {
  /// Columns of the photo as it is seen.
  public static var pixelWidth: Self { Self(key: .pixelWidth) }
  /// Rows of the photo as it is seen.
  public static var pixelHeight: Self { Self(key: .pixelHeight) }
  /// How many assets an album shows.
  public static var estimatedAssetCount: Self { Self(key: .estimatedAssetCount) }
}

extension AssetKey where Value == Double {
  /// Degrees to the north.
  public static var latitude: Self { Self(key: .latitude) }
  /// Degrees to the east.
  public static var longitude: Self { Self(key: .longitude) }
  /// Seconds that it lasts: always 0.
  public static var duration: Self { Self(key: .duration) }
}

extension AssetKey where Value == AssetMediaType {
  /// What it is: always a photo.
  public static var mediaType: Self { Self(key: .mediaType) }
}

extension AssetKey where Value == AssetMediaSubtype {
  /// What kinds of photo it is.
  public static var mediaSubtypes: Self { Self(key: .mediaSubtypes) }

  /// Whether it is of all these kinds.
  public func contains(_ subtypes: AssetMediaSubtype) -> FetchPredicate {
    let bits = Int64(subtypes.rawValue)
    return FetchPredicate(
      .compare(.init(key: key, mask: bits), .equal, .value(.integer(bits))))
  }
}

extension AssetKey where Value == String {
  /// What names the object for as long as it exists.
  public static var localIdentifier: Self { Self(key: .localIdentifier) }
  /// The format of the asset's edit; missing when it has none.
  public static var adjustmentFormatIdentifier: Self { Self(key: .adjustmentFormatIdentifier) }
  /// The name of the original's file, without its folder.
  public static var filename: Self { Self(key: .filename) }
  /// The original's path.
  public static var path: Self { Self(key: .path) }
  /// The camera that took the photo.
  public static var camera: Self { Self(key: .camera) }
  /// The title of an album or of a list of albums.
  public static var title: Self { Self(key: .title) }
}
