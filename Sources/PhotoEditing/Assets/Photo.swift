import FoundationEssentials
import SafelightStorage

/// One photo: the original, which is never changed, and the resources of its edit beside it.
///
/// An asset is only a name; the files are looked at when an editor works on it.
public struct Photo: Sendable, Hashable {
  /// The original's path. A symbolic link stands for the file it leads to.
  public let path: FilePath

  /// The asset whose original is at a path. The file need not exist yet.
  public init(path: FilePath) {
    self.path = path
  }

  /// The asset whose original a file URL names; `nil` for other URLs.
  public init?(fileURL: URL) {
    guard let path = FilePath(fileURL: fileURL) else { return nil }
    self.init(path: path)
  }
}

extension FilePath {
  /// Whether the path leads to something that exists, symbolic links followed.
  public var leadsSomewhere: Bool { leadsToSameFile(as: self) }

  /// Whether both paths lead to the same existing file, symbolic links followed.
  public func leadsToSameFile(as other: FilePath) -> Bool {
    FileSystem.real.areSameFile(self, other)
  }
}
