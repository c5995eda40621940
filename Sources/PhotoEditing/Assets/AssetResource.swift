import FoundationEssentials

/// One file of an asset, in PhotoKit's terms.
public struct AssetResource: Sendable, Hashable {
  /// What a file is to its asset.
  public enum ResourceType: String, Sendable, Hashable {
    /// The original.
    case photo
    /// The rendered JPEG of the current edit.
    case fullSizePhoto
    /// The sidecar with the edit.
    case adjustmentData
    /// The pixels that the current edit starts from, when that is not the original.
    case adjustmentBasePhoto
    /// The rendered JPEG of a named version.
    case alternatePhoto
  }

  /// What the file is to its asset.
  public let type: ResourceType
  /// Where the file is.
  public let path: FilePath
  /// The uniform type identifier of its content, such as `public.jpeg`.
  public let contentType: String

  /// The file's name without its folder.
  public var originalFilename: String { (path.lastComponent ?? path).string }
  /// The file's URL.
  public var fileURL: URL { path.fileURL }
}
