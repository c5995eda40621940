import Glibc

extension FileSystem {
  /// The names in a folder, in no particular order; none when there is no such folder.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func namesIfPresent(in folder: FilePath) throws(StorageError) -> [FilePath] {
    try onDisk { () throws(FileSystemError) in
      do throws(FileSystemError) {
        return try names(in: folder)
      } catch {
        if error.errno == ENOENT || error.errno == ENOTDIR { return [] }
        throw error
      }
    }
  }

  /// Makes a folder with all that are missing above it, for the user alone (mode 0700).
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func createFolders(_ folder: FilePath) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in try create(folder) }
  }

  /// Removes a file that belongs to no asset; that there is none is fine.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func remove(_ path: FilePath) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in
      try unlink(path)
      try syncFolder(path.removingLastComponent())
    }
  }

  private func create(_ folder: FilePath) throws(FileSystemError) {
    if folder.isEmpty || folder.lastComponent == nil { return }
    // Asking first: on a read-only disk even making what is there already is refused.
    if try status(of: folder) != nil { return }
    try create(folder.removingLastComponent())
    let step = Step(.createFolder, folder)
    try announce(step)
    do throws(FileSystemError) {
      _ = try retrying(step) { folder.withCString { mkdir($0, 0o700) } }
    } catch {
      // Another program may have made it meanwhile.
      if error.errno != EEXIST { throw error }
    }
  }
}
