import FoundationEssentials
import SafelightFiles
import SafelightStorage

/// One photo: the original, which is never changed, and the files of its edit beside it.
///
/// ```swift
/// let photo = Photo(path: "holiday/beach.jpg")
/// try await PhotoEditor().apply(Filter.named("noir").applied(), to: photo)
/// ```
///
/// A photo is only a path; nothing is read before an editor works on it. See <doc:FilesOnDisk> for
/// the files beside it.
public struct Photo: Sendable, Hashable {
  /// The original's path. A symbolic link stands for the file it leads to.
  public let path: FilePath

  /// The photo whose original is at a path. The file need not exist yet.
  public init(path: FilePath) {
    self.path = path
  }

  /// The photo whose original a file URL names; `nil` for other URLs.
  public init?(fileURL: URL) {
    guard let path = FilePath(fileURL: fileURL) else { return nil }
    self.init(path: path)
  }
}

/// One file of a photo, in PhotoKit's terms.
///
/// ```swift
/// let resources = try await editor.state(of: photo).resources
/// let render = resources.first { $0.type == .fullSizePhoto }?.path
/// ```
public struct AssetResource: Sendable, Hashable {
  /// What a file is to its photo.
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

  /// What the file is to its photo.
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

extension FilePath {
  /// Whether the path leads to something that exists, symbolic links followed.
  package var leadsSomewhere: Bool { leadsToSameFile(as: self) }

  /// Whether both paths lead to the same existing file, symbolic links followed.
  package func leadsToSameFile(as other: FilePath) -> Bool {
    FileSystem.real.areSameFile(self, other)
  }
}
