import Glibc

extension FileSystem {
  /// What stands under a name; `nil` when nothing does.
  ///
  /// - Parameter following: Whether to look where a symbolic link leads.
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func kind(
    of path: FilePath, following: Bool = false
  ) throws(StorageError) -> FileStatus.Kind? {
    let here: FilePath = path.isEmpty ? "." : path
    return try onDisk { () throws(FileSystemError) in
      guard following else { return try status(of: here)?.kind }
      let step = Step(.status, here)
      try announce(step)
      var facts = stat()
      do throws(FileSystemError) {
        _ = try retrying(step) { here.withCString { stat($0, &facts) } }
      } catch {
        if [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(error.errno) { return nil }
        throw error
      }
      return FileStatus(facts).kind
    }
  }

  /// The beginning of a file that is no link; fewer bytes than asked for only when it has no more.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func firstBytes(of path: FilePath, count: Int) throws(StorageError) -> [UInt8] {
    try onDisk { () throws(FileSystemError) in
      let file = try openReadOnly(path)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
      defer { buffer.deallocate() }
      let filled = try read(file, at: 0, into: buffer)
      return Array(buffer.prefix(filled))
    }
  }
}
