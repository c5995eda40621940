/// A file that waits under a hidden name, flushed to the disk, to become part of the asset.
public struct StagedFile: Sendable, Hashable {
  enum Role: Sendable, Hashable {
    case file(Record.FileRole)
    case sidecar

    static let render = Role.file(.render)
    static let base = Role.file(.base)
  }

  /// Its length in bytes.
  public let size: Int64
  /// The SHA-256 of its bytes.
  public let sha256: Digest
  /// Where it waits. It is readable there until the transaction is over.
  public let path: FilePath

  let role: Role
}

/// Takes the bytes of a file that is being staged, in order.
///
/// Not for use by two threads at once.
public final class FileSink {
  private let fileSystem: FileSystem
  let file: OpenFile
  private let hasher = SHA256()
  private var size: Int64 = 0

  init(creating path: FilePath, _ fileSystem: FileSystem) throws(FileSystemError) {
    self.fileSystem = fileSystem
    file = try fileSystem.createExclusive(path)
  }

  /// Appends bytes, all of them or with an error.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``, for example when the disk is full.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try append(bytes) }
  }

  /// Appends bytes, all of them or with an error.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``, for example when the disk is full.
  public func write(_ bytes: [UInt8]) throws(StorageError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(StorageError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
    try fileSystem.write(bytes, to: file)
    hasher.update(bytes)
    size += Int64(bytes.count)
  }

  /// Flushes everything to the disk.
  func finish(_ role: StagedFile.Role) throws(FileSystemError) -> StagedFile {
    try fileSystem.sync(file)
    return StagedFile(size: size, sha256: hasher.finish(), path: file.path, role: role)
  }
}
