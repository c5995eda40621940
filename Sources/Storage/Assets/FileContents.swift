import Synchronization

/// What the files beside an original hold, hashed once as long as they do not change.
final class FileContents: Sendable {
  /// What stands under a name.
  enum Content: Equatable {
    case missing
    case file(Digest)
    /// A folder, a link or something else that Safelight never makes; also the original itself,
    /// under whatever name, so that no record can lead to its being replaced or removed.
    case somethingElse
  }

  let fileSystem: FileSystem
  private let original: FileStatus
  private let known = Mutex<[FilePath: (status: FileStatus, digest: Digest)]>([:])

  init(around original: FileStatus, _ fileSystem: FileSystem) {
    self.original = original
    self.fileSystem = fileSystem
  }

  func content(of path: FilePath) throws(StorageError) -> Content {
    try onDisk { () throws(FileSystemError) in
      guard let status = try fileSystem.status(of: path) else { return .missing }
      guard status.kind == .file, !status.isSameFile(as: original) else { return .somethingElse }
      if let known = known.withLock({ $0[path] }), status.hasSameContent(as: known.status) {
        return .file(known.digest)
      }
      let file = try fileSystem.openReadOnly(path)
      let opened = try fileSystem.status(of: file)
      let digest = try fileSystem.digest(of: file)
      known.withLock { $0[path] = (opened, digest) }
      return .file(digest)
    }
  }

  func exists(_ path: FilePath) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in try fileSystem.status(of: path) != nil }
  }
}
