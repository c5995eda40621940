extension Asset {
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
