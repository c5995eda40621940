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
  /// Where ``creationDate`` is from; `nil` without one.
  public let creationDateSource: CreationDateSource?
  /// When the original or its edit last changed, or the user's favorite, date, place or hiding.
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
  /// The photo's title. The title and all properties below are as the original has them.
  public let title: String?
  /// A description of the photo, in sentences.
  public let caption: String?
  /// What the photo shows; each keyword is a word or a phrase.
  public let keywords: [String]
  /// Stars, 0 to 5, and -1 for a rejected photo; `nil` when nobody rated it.
  public let rating: Int?
  /// The maker and the model of the camera.
  public let camera: String?
  /// The model of the lens.
  public let lens: String?
  /// The sensitivity, such as 100.
  public let iso: Int?
  /// The exposure time in seconds.
  public let exposureTime: Double?
  /// The f-number, such as 2.8.
  public let aperture: Double?
  /// The focal length in millimeters, without conversion to another size of sensor.
  public let focalLength: Double?

  /// The row in the catalog.
  let row: Int64
  /// The catalog's file; see ``LibraryObject``.
  var library: FilePath?
  /// The client that fetched the asset.
  var reader = AssetReader(identifier: "")

  /// What the camera's clock showed when the photo was taken, as if it had shown UTC.
  public var localDate: Date? { creationDate?.addingTimeInterval(Double(timeZoneOffset ?? 0)) }

  /// The asset's medium: always a photo.
  public var mediaType: AssetMediaType { .image }

  /// How the asset is to be played: a photo with a video as a Live Photo.
  public var playbackStyle: AssetPlaybackStyle {
    mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
  }

  /// The duration in seconds: always 0.
  public var duration: Double { 0 }

  /// The identifier of the burst that the photo belongs to: always `nil`, since a library has no bursts.
  public var burstIdentifier: String? { nil }

  /// Whether the asset has an edit.
  public var hasAdjustments: Bool { adjustmentFormatIdentifier != nil }

  /// The asset's photo, for a `PhotoEditor`.
  public var photo: Photo { Photo(path: path) }
}

/// Where the date of an asset is from.
public enum CreationDateSource: String, Sendable, Hashable, CaseIterable, Codable {
  /// The photo's metadata.
  case metadata
  /// The file's modification date, at the first scan: the metadata have no date.
  case file
  /// The user.
  case user
}

/// An object of a library: an asset, an album or a list of albums.
///
/// ```swift
/// let identifiers = objects.map { $0.localIdentifier }
/// ```
public protocol PhotoLibraryObject: Sendable, Hashable, Identifiable where ID == String {
  /// The object's identifier, which stays while the object exists.
  var localIdentifier: String { get }
}

extension PhotoLibraryObject {
  /// The same as ``localIdentifier``.
  public var id: String { localIdentifier }
}

/// An object that knows the library from which it was fetched.
///
/// Identifiers are unique in one library only: two libraries of the same folders have assets with the same
/// identifiers. So calls refuse the objects of another library.
protocol LibraryObject: PhotoLibraryObject {
  /// The file of the library's catalog; `nil` for an object that was not fetched.
  var library: FilePath? { get }
}

extension Asset: LibraryObject {}

extension PhotoLibraryObject {
  /// Whether the object may be used with the library of a catalog.
  func belongs(to library: FilePath) -> Bool {
    guard let own = (self as? any LibraryObject)?.library else { return true }
    return own == library
  }
}

extension PhotoLibrary {
  /// - Throws: ``PhotoLibraryError/objectOfAnotherLibrary(_:)``.
  func checkOrigin(of object: any PhotoLibraryObject) throws(PhotoLibraryError) {
    guard object.belongs(to: snapshots.path) else {
      throw .objectOfAnotherLibrary(object.localIdentifier)
    }
  }
}

extension Asset {
  /// The columns that ``init(row:)`` reads, from `asset` joined with its `folder`.
  static let columns = AssetColumns.shown.sql + ", folder.path"

  /// Takes the place of an asset that can no longer be read.
  static let unreadable = Asset(
    localIdentifier: "", path: FilePath(""), format: .jpeg, creationDate: nil, timeZoneOffset: nil,
    creationDateSource: nil, modificationDate: Date(timeIntervalSince1970: 0),
    addedDate: Date(timeIntervalSince1970: 0),
    pixelWidth: 0, pixelHeight: 0, mediaSubtypes: [], location: nil, isFavorite: false,
    isHidden: false, adjustmentFormatIdentifier: nil, title: nil, caption: nil, keywords: [],
    rating: nil, camera: nil, lens: nil, iso: nil, exposureTime: nil, aperture: nil,
    focalLength: nil, row: 0)

  /// The tables that have ``columns``, for `FROM`.
  static let source = "asset JOIN folder ON folder.id = asset.folder"

  init(row: Row) {
    let asset = AssetColumns.shown.row(row)
    self.row = asset[.id]
    localIdentifier = asset[.identifier]
    let folder = FilePath(bytes: row[AssetColumns.shown.count] as [UInt8])
    path = folder.appending(FilePath(bytes: asset[.name] as [UInt8]))
    // A newer program may know more formats. Whoever opens the file finds out from its bytes.
    format = PhotoFormat(rawValue: asset[.format]) ?? .jpeg
    let date: Date? = asset[.creationDate]
    creationDate = date
    let isSet = date != asset[.fileCreationDate]
    let source = (asset[.dateSource] as String?).flatMap(CreationDateSource.init(rawValue:))
    creationDateSource = date.map { _ in isSet ? .user : source ?? .metadata }
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
    library = row.path
    reader = AssetReader(identifier: row.reader)
  }
}

/// The client that fetched an asset. The assets that two clients fetch of one photo are equal.
struct AssetReader: Sendable, Hashable {
  /// Empty for the owner.
  let identifier: String

  static func == (left: AssetReader, right: AssetReader) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A detail of the photo in an original, under the name that fetches and JSON have for it.
package struct AssetDetail: Sendable {
  /// The name of the detail's column and key.
  package let name: String
  /// Whether `show` gives the detail a line of its own, and not a place in another line.
  package let hasOwnLine: Bool
  package let value: @Sendable (Asset) -> FetchValue

  fileprivate init<Value: FetchArgument>(
    _ column: AssetColumn, hasOwnLine: Bool = false,
    _ value: @escaping @Sendable (Asset) -> Value
  ) {
    (name, self.hasOwnLine) = (column.name, hasOwnLine)
    self.value = { value($0).fetchValue }
  }
}

extension Asset {
  /// The details, in the order in which programs and people read them.
  package static let details = [
    AssetDetail(.timeZoneOffset) { $0.timeZoneOffset },
    AssetDetail(.title, hasOwnLine: true) { $0.title },
    AssetDetail(.caption, hasOwnLine: true) { $0.caption },
    AssetDetail(.keywords, hasOwnLine: true) { $0.keywords },
    AssetDetail(.rating) { $0.rating },
    AssetDetail(.camera) { $0.camera },
    AssetDetail(.lens) { $0.lens },
    AssetDetail(.iso) { $0.iso },
    AssetDetail(.exposureTime) { $0.exposureTime },
    AssetDetail(.aperture) { $0.aperture },
    AssetDetail(.focalLength) { $0.focalLength },
  ]
}

// MARK: - The keys of assets

extension AssetKey where Value == Bool {
  /// Whether the asset is a favorite.
  public static var isFavorite: Self { Self(.favorite) }
  /// Whether the asset is hidden; hidden assets are fetched only when the options include them.
  public static var isHidden: Self { Self(.hidden) }
  /// Whether the asset has an edit.
  public static var hasAdjustments: Self { Self(key: .hasAdjustments) }
}

extension AssetKey where Value == Date {
  /// When the photo was taken, or the album made.
  public static var creationDate: Self { Self(.creationDate) }
  /// What the camera's clock showed when the photo was taken, as if it had shown UTC; for an album, what the
  /// clock of this computer showed.
  public static var localDate: Self { Self(key: .localDate) }
  /// When the original or its edit last changed.
  public static var modificationDate: Self { Self(.modificationDate) }
  /// When the photo was added to the library.
  public static var addedDate: Self { Self(.addedDate) }
}

extension AssetKey where Value == Int {
  /// The width in pixels of the picture as it is shown.
  public static var pixelWidth: Self { Self(.pixelWidth) }
  /// The height in pixels of the picture as it is shown.
  public static var pixelHeight: Self { Self(.pixelHeight) }
  /// Stars, 0 to 5, and -1 for a rejected photo; missing when nobody rated the photo.
  public static var rating: Self { Self(.rating) }
  /// The sensitivity, such as 100.
  public static var iso: Self { Self(.iso) }
  /// How far the camera's clock was ahead of UTC, in seconds.
  public static var timeZoneOffset: Self { Self(.timeZoneOffset) }
}

extension AssetKey where Value == Double {
  /// Degrees to the north.
  public static var latitude: Self { Self(.latitude) }
  /// Degrees to the east.
  public static var longitude: Self { Self(.longitude) }
  /// The exposure time in seconds.
  public static var exposureTime: Self { Self(.exposureTime) }
  /// The f-number, such as 2.8.
  public static var aperture: Self { Self(.aperture) }
  /// The focal length in millimeters, without conversion to another size of sensor.
  public static var focalLength: Self { Self(.focalLength) }
  /// The duration in seconds: always 0.
  public static var duration: Self { Self(key: .duration) }
}

extension AssetKey where Value == AssetMediaType {
  /// The asset's medium: always a photo.
  public static var mediaType: Self { Self(key: .mediaType) }
}

extension AssetKey where Value == AssetMediaSubtype {
  /// The kinds of photo that the asset is.
  public static var mediaSubtypes: Self { Self(.mediaSubtypes) }
}

extension AssetKey where Value == [String] {
  /// What the photo shows; missing without keywords.
  public static var keywords: Self { Self(.keywords) }
}

extension AssetKey where Value == String {
  /// The identifier of the asset's burst; always missing.
  public static var burstIdentifier: Self { Self(key: .burstIdentifier) }
  /// The identifier of an asset, an album or a list.
  public static var localIdentifier: Self { Self(.identifier) }
  /// The format of the asset's edit; missing without an edit.
  public static var adjustmentFormatIdentifier: Self { Self(.adjustmentFormat) }
  /// The name of the original's file, without its folder.
  public static var filename: Self { Self(key: .filename) }
  /// The original's path.
  public static var path: Self { Self(key: .path) }
  /// The camera.
  public static var camera: Self { Self(.camera) }
  /// The lens.
  public static var lens: Self { Self(.lens) }
  /// The title of a photo, of an album or of a list of albums.
  public static var title: Self { Self(.title) }
  /// A description of the photo.
  public static var caption: Self { Self(.caption) }
}

// Swift looks for the first word of `.camera.contains("D750")` in the type that it expects, a predicate.
extension FetchPredicate {
  /// See ``AssetKey/localIdentifier``.
  public static var localIdentifier: AssetKey<String> { .localIdentifier }
  /// See ``AssetKey/adjustmentFormatIdentifier``.
  public static var adjustmentFormatIdentifier: AssetKey<String> { .adjustmentFormatIdentifier }
  /// See ``AssetKey/filename``.
  public static var filename: AssetKey<String> { .filename }
  /// See ``AssetKey/path``.
  public static var path: AssetKey<String> { .path }
  /// See ``AssetKey/camera``.
  public static var camera: AssetKey<String> { .camera }
  /// See ``AssetKey/lens``.
  public static var lens: AssetKey<String> { .lens }
  /// See ``AssetKey/caption``.
  public static var caption: AssetKey<String> { .caption }
  /// See ``AssetKey/keywords``.
  public static var keywords: AssetKey<[String]> { .keywords }
  /// See ``AssetKey/title``.
  public static var title: AssetKey<String> { .title }
  /// See ``AssetKey/mediaSubtypes``.
  public static var mediaSubtypes: AssetKey<AssetMediaSubtype> { .mediaSubtypes }
  /// See ``AssetKey/pixelWidth``.
  public static var pixelWidth: AssetKey<Int> { .pixelWidth }
  /// See ``AssetKey/pixelHeight``.
  public static var pixelHeight: AssetKey<Int> { .pixelHeight }
}

extension Asset {
  /// A place on earth.
  public struct Location: Sendable, Hashable, Codable {
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

extension Asset.Location {
  /// A place; `nil` when one of the two is missing.
  init?(_ latitude: Double?, _ longitude: Double?) {
    guard let latitude, let longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

/// The kinds of photo that an asset is. The bits are PhotoKit's; unknown bits are kept.
///
/// ```swift
/// let isPanorama = asset.mediaSubtypes.contains(.photoPanorama)
/// ```
public struct AssetMediaSubtype: OptionSet, Sendable, Hashable, Codable {
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
public enum AssetMediaType: Int, Sendable, Hashable, CaseIterable, Codable {
  /// An unknown medium.
  case unknown = 0
  /// A photo.
  case image = 1
  /// A video.
  case video = 2
  /// Sound.
  case audio = 3
}
