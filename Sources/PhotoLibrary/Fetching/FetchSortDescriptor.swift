import SafelightCatalog

/// A key that fetched objects are sorted by.
///
/// Texts are sorted by their bytes; missing values come first. Objects with equal keys are in the order in
/// which they were added to the library.
///
/// ```swift
/// options.sortDescriptors = [
///   FetchSortDescriptor(.rating, ascending: false),
///   FetchSortDescriptor(keyPath: \Asset.creationDate, ascending: true),
///   FetchSortDescriptor(key: "pixelWidth", ascending: true),
/// ]
/// ```
public struct FetchSortDescriptor: Sendable, Hashable {
  /// The key; `nil` when no object has a key of this name.
  let key: FetchKey?
  /// The key's name, as the program wrote it.
  let name: String
  /// Whether missing, small and early values come first.
  public let ascending: Bool

  /// Sorts by a key, such as `.creationDate`.
  public init<Value>(_ key: AssetKey<Value>, ascending: Bool = true) {
    self.init(key.key, ascending: ascending)
  }

  /// The names of the keys that assets are sorted and searched by.
  package static let assetKeys = FetchKey.allCases.filter { $0.belongs(to: .asset) }.map(\.name)

  /// Sorts by the key with a name, such as `"creationDate"`.
  ///
  /// A fetch throws ``PhotoLibraryError/predicateNotSupported(key:of:)`` for a name that no key has.
  public init(key name: String, ascending: Bool = true) {
    (key, self.name, self.ascending) = (FetchKey(name: name), name, ascending)
  }

  /// Sorts assets by a property, such as `\Asset.creationDate`.
  ///
  /// A fetch throws ``PhotoLibraryError/predicateNotSupported(key:of:)`` for a property that is no key.
  public init<Value>(keyPath: KeyPath<Asset, Value>, ascending: Bool = true) {
    self.init(keyPath, Asset.fetchKeys, ascending: ascending)
  }

  /// Sorts albums by a property, such as `\AssetCollection.localizedTitle`.
  ///
  /// A fetch throws ``PhotoLibraryError/predicateNotSupported(key:of:)`` for a property that is no key.
  public init<Value>(keyPath: KeyPath<AssetCollection, Value>, ascending: Bool = true) {
    self.init(keyPath, AssetCollection.fetchKeys, ascending: ascending)
  }

  /// Sorts by the key with a name that a user wrote.
  ///
  /// For people the date of a photo is what the camera's clock showed, in an order as in a condition: a camera
  /// without a time zone then stands between phones that have one.
  /// - Throws: ``PredicateFormatError`` when there is no such key; it has the key that is nearest.
  package init(checking name: String, ascending: Bool) throws(PredicateFormatError) {
    self.init(key: name, ascending: ascending)
    if key == .creationDate { self.init(.localDate, ascending: ascending) }
    if key == nil {
      throw PredicateFormatError(
        column: 1, .unknownKey(name, nearest: FetchKey.nearest(to: name)))
    }
  }

  private init(_ key: FetchKey, ascending: Bool) {
    (self.key, name, self.ascending) = (key, key.name, ascending)
  }

  private init(_ keyPath: AnyKeyPath, _ keys: [AnyKeyPath: FetchKey], ascending: Bool) {
    let key = keys[keyPath]
    (self.key, name, self.ascending) = (key, key?.name ?? "\(keyPath)", ascending)
  }

  /// Two descriptors that sort alike are equal, however their key was written.
  public static func == (one: FetchSortDescriptor, other: FetchSortDescriptor) -> Bool {
    one.key == other.key && one.ascending == other.ascending
      && (one.key != nil || one.name == other.name)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(ascending)
  }
}

extension Asset {
  /// The keys of the properties that assets are sorted by.
  fileprivate static var fetchKeys: [AnyKeyPath: FetchKey] {
    [
      \Asset.localIdentifier: .localIdentifier, \Asset.path: .path,
      \Asset.creationDate: .creationDate, \Asset.localDate: .localDate,
      \Asset.timeZoneOffset: .column(.timeZoneOffset),
      \Asset.modificationDate: .modificationDate, \Asset.addedDate: .addedDate,
      \Asset.pixelWidth: .pixelWidth, \Asset.pixelHeight: .pixelHeight,
      \Asset.mediaType: .mediaType, \Asset.mediaSubtypes: .mediaSubtypes,
      \Asset.duration: .duration, \Asset.burstIdentifier: .burstIdentifier,
      \Asset.isFavorite: .favorite, \Asset.isHidden: .hidden,
      \Asset.hasAdjustments: .hasAdjustments,
      \Asset.adjustmentFormatIdentifier: .adjustmentFormatIdentifier,
      \Asset.title: .title, \Asset.caption: .column(.caption), \Asset.keywords: .keywords,
      \Asset.rating: .rating, \Asset.camera: .camera, \Asset.lens: .column(.lens),
      \Asset.iso: .column(.iso), \Asset.exposureTime: .column(.exposureTime),
      \Asset.aperture: .column(.aperture), \Asset.focalLength: .column(.focalLength),
    ]
  }
}

extension AssetCollection {
  /// The keys of the properties that albums are sorted by.
  fileprivate static var fetchKeys: [AnyKeyPath: FetchKey] {
    [
      \AssetCollection.localIdentifier: .localIdentifier,
      \AssetCollection.localizedTitle: .title,
      \AssetCollection.creationDate: .creationDate,
      \AssetCollection.estimatedAssetCount: .estimatedAssetCount,
    ]
  }
}
