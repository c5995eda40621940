import Glibc

extension FileSystem {
  /// The absolute path that a path leads to when it is a folder, links followed; else `nil`.
  package func folder(at path: FilePath) -> FilePath? {
    guard let resolved = try? resolve(path.isEmpty ? "." : path),
      let status = try? status(of: resolved), status.kind == .folder
    else { return nil }
    return resolved
  }

  /// The length in bytes of an ordinary file; `nil` for links, folders and what is not there.
  package func sizeOfFile(at path: FilePath) throws(StorageError) -> Int64? {
    try onDisk { () throws(FileSystemError) in
      guard let status = try status(of: path), status.kind == .file else { return nil }
      return status.size
    }
  }

  /// The SHA-256 of a file.
  package func digestOfFile(at path: FilePath) throws(StorageError) -> Digest {
    let file = try openForReading(path)
    return try onDisk { () throws(FileSystemError) in try digest(of: file) }
  }

  /// The first bytes of a file, up to 1 MiB.
  package func beginningOfFile(at path: FilePath) throws(StorageError) -> [UInt8] {
    let file = try openForReading(path)
    return try onDisk { () throws(FileSystemError) in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 64)
      defer { buffer.deallocate() }
      return Array(buffer[..<(try read(file, at: 0, into: buffer))])
    }
  }
}

extension FileSystem {
  /// Removes a file that an export left behind, unless its writer is still at work.
  ///
  /// A writer holds a lock on its file, which other computers on the same network disk see too;
  /// its process number tells even before the lock is taken.
  /// - Parameters:
  ///   - path: The hidden file.
  ///   - process: The number of the process that made it.
  ///   - removing: Whether to remove it, and not only to look.
  /// - Returns: Whether it is left behind.
  package func isAbandonedExport(
    _ path: FilePath, by process: Int32, removing: Bool
  ) throws(StorageError) -> Bool {
    if kill(process, 0) == 0 || errno == EPERM { return false }
    return try onDisk { () throws(FileSystemError) in
      guard try status(of: path)?.kind == .file else { return false }
      guard let holder = try lockExclusively(openReadOnly(path)) else { return false }
      defer { holder.unlock() }
      if removing { try unlink(path) }
      return true
    }
  }
}

extension FileSink {
  /// Tells others that the file is being written, as long as the sink lives. On a disk without
  /// locks nobody is told, and nothing else changes.
  func holdFile(_ fileSystem: FileSystem) {
    _ = try? fileSystem.lock(file, exclusively: true)
  }
}
