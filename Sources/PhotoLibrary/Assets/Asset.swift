import FoundationEssentials
import PhotoEditing

/// One photo of a library, as it was when it was fetched.
///
/// A value: fetch again, or ask a change's details, to see later changes. Two are equal when they
/// are the same photo in the same state.
public struct Asset: Sendable, Hashable {
  /// What names the asset for as long as it is in the library, whatever its file is called.
  public let localIdentifier: String
  /// The original's path.
  public let path: FilePath
  /// The original's format.
  public let format: PhotoFormat
  /// When the photo was taken, or what somebody set; `nil` when neither is known.
  public let creationDate: Date?
  /// When the original or its edit last changed.
  public let modificationDate: Date
  /// When the library took the photo in.
  public let addedDate: Date
  /// Columns of the photo as it is seen: upright, and cropped when the edit crops.
  public let pixelWidth: Int
  /// Rows of the photo as it is seen.
  public let pixelHeight: Int
  /// What kinds of photo it is.
  public let mediaSubtypes: AssetMediaSubtype
  /// Where it was taken, or what somebody set.
  public let location: Location?
  /// Whether somebody marked it as a favorite.
  public let isFavorite: Bool
  /// Whether it is left out of fetches that do not ask for hidden assets.
  public let isHidden: Bool
  /// The format of its edit, in reverse DNS order; `nil` when it has none.
  public let adjustmentFormatIdentifier: String?
  /// The camera that took it.
  public let camera: String?

  /// The row in the catalog.
  let row: Int64

  /// Whether it is edited.
  public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }

  /// The photo as an editor takes it.
  public var photo: Photo { Photo(path: path) }

  /// A place on earth.
  public struct Location: Sendable, Hashable {
    /// Degrees, -90 to 90, positive to the north.
    public let latitude: Double
    /// Degrees, -180 to 180, positive to the east.
    public let longitude: Double

    /// A place on earth, in degrees.
    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }
}

/// What kinds of photo an asset is; the bits are PhotoKit's, and unknown ones are kept.
public struct AssetMediaSubtype: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Subtypes from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A panorama.
  public static let photoPanorama = AssetMediaSubtype(rawValue: 1)
  /// A photo of high dynamic range.
  public static let photoHDR = AssetMediaSubtype(rawValue: 2)
  /// A picture of a screen.
  public static let photoScreenshot = AssetMediaSubtype(rawValue: 4)
  /// A photo with a short video.
  public static let photoLive = AssetMediaSubtype(rawValue: 8)
  /// A photo with a map of depths.
  public static let photoDepthEffect = AssetMediaSubtype(rawValue: 16)
}
