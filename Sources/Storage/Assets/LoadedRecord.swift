import Glibc

/// The bytes of a sidecar or of a pending record as they were found.
struct LoadedRecord: Sendable {
  let path: FilePath
  let bytes: [UInt8]
  let digest: Digest
  let status: FileStatus

  /// Reads the file at `path`; `nil` when there is none.
  static func load(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> LoadedRecord? {
    let opened = try onDisk { () throws(FileSystemError) -> (OpenFile, FileStatus)? in
      guard try fileSystem.status(of: path) != nil else { return nil }
      let file = try fileSystem.openReadOnly(path)
      let status = try fileSystem.status(of: file)
      guard status.kind == .file else {
        throw FileSystemError(.init(.open, path), errno: status.kind == .folder ? EISDIR : EINVAL)
      }
      return (file, status)
    }
    guard let (file, status) = opened else { return nil }
    let limit = Record.maximumSize
    guard status.size <= limit else {
      throw .recordUnreadable(path, .tooLarge(size: Int(status.size), limit: limit))
    }
    let bytes = try onDisk { () throws(FileSystemError) in
      try fileSystem.contents(of: file, limit: limit)
    }
    return LoadedRecord(
      path: path, bytes: bytes, digest: SHA256.digest(of: bytes), status: status)
  }

  func record() throws(StorageError) -> Record {
    do {
      return try Record(parsing: bytes)
    } catch {
      throw .recordUnreadable(path, error)
    }
  }

  func change() throws(StorageError) -> PendingChange {
    do {
      return try PendingChange(parsing: bytes)
    } catch {
      throw .recordUnreadable(path, error)
    }
  }
}
