import Glibc

/// One name in a folder.
package struct FolderEntry: Sendable, Hashable {
  /// The name, without slashes.
  package let name: FilePath
  /// Whether it is a folder itself; a symbolic link to one is none.
  package let isFolder: Bool
}

extension FileSystem {
  /// Hands out the names in a folder one by one, in no particular order, and keeps none of them.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)`` when the folder cannot be listed.
  package func forEachEntry(
    in folder: FilePath, _ body: (FolderEntry) -> Void
  ) throws(StorageError) {
    try onDisk { () throws(FileSystemError) in
      let step = Step(.list, folder)
      try announce(step)
      let path: FilePath = folder.isEmpty ? "." : folder
      guard let stream = path.withCString({ opendir($0) }) else {
        throw FileSystemError(step, errno: errno)
      }
      defer { closedir(stream) }
      while true {
        errno = 0
        guard let entry = readdir(stream) else {
          if errno != 0 { throw FileSystemError(step, errno: errno) }
          return
        }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath(bytes: $0) }
        if name == "." || name == ".." { continue }
        var isFolder = entry.pointee.d_type == UInt8(DT_DIR)
        // Some file systems only say so when asked about each name.
        if entry.pointee.d_type == UInt8(DT_UNKNOWN) {
          isFolder = try status(of: folder.appending(name))?.kind == .folder
        }
        body(FolderEntry(name: name, isFolder: isFolder))
      }
    }
  }

  /// Works through names of a folder in the order of their bytes, however many there are: never
  /// more than two pages of them are in memory, and the folder is listed once for each page.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - page: How many names a page has.
  ///   - isWanted: Says which names to work through.
  ///   - body: Called for each, while the folder is not being listed.
  /// - Throws: ``StorageError/fileSystem(_:)``, and what `body` throws.
  package func forEachNameInOrder(
    in folder: FilePath, page: Int = 8192, where isWanted: KeyPath<FolderEntry, Bool>,
    _ body: (FilePath) throws -> Void
  ) throws {
    var last: FilePath?
    while true {
      var names: [FilePath] = []
      var isCut = false
      func cut() {
        names.sort()
        guard names.count > page else { return }
        names.removeLast(names.count - page)
        isCut = true
      }
      try forEachEntry(in: folder) { entry in
        guard entry[keyPath: isWanted], last.map({ $0 < entry.name }) ?? true else { return }
        names.append(entry.name)
        if names.count == 2 * page { cut() }
      }
      cut()
      for name in names { try body(name) }
      guard isCut, let end = names.last else { return }
      last = end
    }
  }
}

extension [FilePath] {
  fileprivate mutating func sort() { sort(by: <) }
}

extension FilePath {
  /// Whether a path comes before another in the order of their bytes.
  package static func < (one: FilePath, other: FilePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
