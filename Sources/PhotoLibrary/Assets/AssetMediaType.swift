/// What an asset is; the numbers are PhotoKit's. A library of Safelight holds photos only.
public enum AssetMediaType: Int, Sendable, Hashable, CaseIterable {
  /// Nothing that is known.
  case unknown = 0
  /// A photo.
  case image = 1
  /// A video.
  case video = 2
  /// Sound.
  case audio = 3
}

extension Asset {
  /// What it is: always a photo.
  public var mediaType: AssetMediaType { .image }
}
