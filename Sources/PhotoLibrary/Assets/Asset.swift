import FoundationEssentials
import PhotoEditing
import SafelightCatalog
import SafelightFiles

/// One photo of a library, as it was when it was fetched.
///
/// An asset is a value: fetch again, or ask for a change's details, to see later changes. Two assets are
/// equal when they are the same photo in the same state.
///
/// ```swift
/// for asset in try library.fetchAssets() where asset.isFavorite {
///   print(asset.path, asset.creationDate ?? asset.addedDate)
/// }
/// ```
public struct Asset: PhotoLibraryObject {
  /// The asset's identifier. It stays while the asset is in the library, also when its file is renamed.
  public let localIdentifier: String
  /// The original's path.
  public let path: FilePath
  /// The original's format.
  public let format: PhotoFormat
  /// When the photo was taken, or the date that the user set; `nil` when neither is known. When the camera
  /// did not write its time zone, this is the time that its clock showed, as if in UTC.
  public let creationDate: Date?
  /// How far the camera's clock was ahead of UTC, in seconds; `nil` when the camera did not write it.
  public let timeZoneOffset: Int?
  /// When the original or its edit last changed.
  public let modificationDate: Date
  /// When the photo was added to the library.
  public let addedDate: Date
  /// The width in pixels of the picture as it is shown: upright, and cropped when the edit crops.
  public let pixelWidth: Int
  /// The height in pixels of the picture as it is shown.
  public let pixelHeight: Int
  /// The kinds of photo that the asset is.
  public let mediaSubtypes: AssetMediaSubtype
  /// Where the photo was taken, or the place that the user set; `nil` when neither is known.
  public let location: Location?
  /// Whether the user marked the asset as a favorite.
  public let isFavorite: Bool
  /// Whether fetches leave the asset out unless they ask for hidden assets.
  public let isHidden: Bool
  /// The format of the asset's edit, in reverse DNS order; `nil` without an edit.
  public let adjustmentFormatIdentifier: String?
  /// The photo's title, as the original says it, like everything below.
  public let title: String?
  /// What a person wrote about the photo.
  public let caption: String?
  /// What the photo shows, each as one word or phrase.
  public let keywords: [String]
  /// Stars, 0 to 5, and -1 for a rejected photo; `nil` when nobody rated it.
  public let rating: Int?
  /// Maker and model of the camera that took it.
  public let camera: String?
  /// The lens.
  public let lens: String?
  /// The sensitivity, such as 100.
  public let iso: Int?
  /// Seconds.
  public let exposureTime: Double?
  /// The f-number, such as 2.8.
  public let aperture: Double?
  /// Millimeters, without conversion to another size of sensor.
  public let focalLength: Double?

  /// The row in the catalog.
  let row: Int64

  /// What the camera's clock showed when the photo was taken, as if it had shown UTC.
  public var localDate: Date? { creationDate?.addingTimeInterval(Double(timeZoneOffset ?? 0)) }

  /// Whether the asset has an edit.
  public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }

  /// The asset's photo, for a `PhotoEditor`.
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

/// The kinds of photo that an asset is. The bits are PhotoKit's; unknown bits are kept.
///
/// ```swift
/// let isPanorama = asset.mediaSubtypes.contains(.photoPanorama)
/// ```
public struct AssetMediaSubtype: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Subtypes from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A panorama.
  public static let photoPanorama = AssetMediaSubtype(rawValue: 1)
  /// A photo of high dynamic range.
  public static let photoHDR = AssetMediaSubtype(rawValue: 2)
  /// A screenshot.
  public static let photoScreenshot = AssetMediaSubtype(rawValue: 4)
  /// A photo with a short video.
  public static let photoLive = AssetMediaSubtype(rawValue: 8)
  /// A photo with a depth map.
  public static let photoDepthEffect = AssetMediaSubtype(rawValue: 16)
}

/// The medium of an asset; the numbers are PhotoKit's. A library of Safelight has photos only.
public enum AssetMediaType: Int, Sendable, Hashable, CaseIterable {
  /// An unknown medium.
  case unknown = 0
  /// A photo.
  case image = 1
  /// A video.
  case video = 2
  /// Sound.
  case audio = 3
}

extension Asset {
  /// The asset's medium: always a photo.
  public var mediaType: AssetMediaType { .image }
}

/// An object of a library: an asset, an album or a list of albums.
///
/// ```swift
/// let identifiers = objects.map { $0.localIdentifier }
/// ```
public protocol PhotoLibraryObject: Sendable, Hashable {
  /// The object's identifier, which stays while the object exists.
  var localIdentifier: String { get }
}

extension Asset {
  /// The columns that ``init(row:)`` reads, from `asset` joined with its `folder`.
  static let columns = AssetColumns.shown.sql + ", folder.path"

  /// Stands for an asset that can no longer be read.
  static let unreadable = Asset(
    localIdentifier: "", path: FilePath(""), format: .jpeg, creationDate: nil, timeZoneOffset: nil,
    modificationDate: Date(timeIntervalSince1970: 0), addedDate: Date(timeIntervalSince1970: 0),
    pixelWidth: 0, pixelHeight: 0, mediaSubtypes: [], location: nil, isFavorite: false,
    isHidden: false, adjustmentFormatIdentifier: nil, title: nil, caption: nil, keywords: [],
    rating: nil, camera: nil, lens: nil, iso: nil, exposureTime: nil, aperture: nil,
    focalLength: nil, row: 0)

  /// What ``columns`` are read from.
  static let source = "asset JOIN folder ON folder.id = asset.folder"

  init(row: Row) {
    let asset = AssetColumns.shown.row(row)
    self.row = asset[.id]
    localIdentifier = asset[.identifier]
    let folder = FilePath(bytes: row[AssetColumns.shown.count] as [UInt8])
    path = folder.appending(FilePath(bytes: asset[.name] as [UInt8]))
    // A newer program may know further formats. The file's bytes tell when it is opened.
    format = PhotoFormat(rawValue: asset[.format]) ?? .jpeg
    creationDate = asset[.creationDate]
    modificationDate = asset[.modificationDate]
    addedDate = asset[.addedDate]
    pixelWidth = asset[.pixelWidth]
    pixelHeight = asset[.pixelHeight]
    mediaSubtypes = AssetMediaSubtype(rawValue: asset[.mediaSubtypes])
    location = Location(asset[.latitude], asset[.longitude])
    isFavorite = asset[.favorite]
    isHidden = asset[.hidden]
    adjustmentFormatIdentifier = asset[.adjustmentFormat]
    timeZoneOffset = asset[.timeZoneOffset]
    title = asset[.title]
    caption = asset[.caption]
    keywords = KeywordText.split(asset[.keywords] ?? "")
    rating = asset[.rating]
    camera = asset[.camera]
    lens = asset[.lens]
    iso = asset[.iso]
    exposureTime = asset[.exposureTime]
    aperture = asset[.aperture]
    focalLength = asset[.focalLength]
  }
}

extension Asset.Location {
  /// A place; `nil` when one of the two is missing.
  init?(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}
