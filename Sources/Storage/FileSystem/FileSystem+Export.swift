import Glibc
import Synchronization

extension FileSystem {
  private static let exports = Atomic<Int>(0)

  /// Opens any file for reading, symbolic links followed.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func openForReading(_ path: FilePath) throws(StorageError) -> OpenFile {
    try onDisk { () throws(FileSystemError) in try openReadOnly(try resolve(path)) }
  }

  /// All bytes of a file of at most `limit` bytes, symbolic links followed.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func contents(of path: FilePath, limit: Int) throws(StorageError) -> [UInt8] {
    let file = try openForReading(path)
    return try onDisk { () throws(FileSystemError) in try contents(of: file, limit: limit) }
  }

  /// Whether both paths lead to the same file, links followed.
  package func areSameFile(_ one: FilePath, _ other: FilePath) -> Bool {
    guard let one = try? resolve(one), let other = try? resolve(other),
      let first = try? status(of: one), let second = try? status(of: other)
    else { return false }
    return first.isSameFile(as: second)
  }

  /// Whether anything stands under a name, links not followed.
  ///
  /// - Throws: ``StorageError/fileSystem(_:)``.
  package func exists(_ path: FilePath) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in try status(of: path) != nil }
  }

  /// Writes a file that belongs to no asset: it appears whole under its name, or not at all.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - replacing: Whether a file of that name may be replaced.
  ///   - write: Puts the bytes into the sink.
  /// - Returns: `false` when the name is taken and may not be replaced; `write` is then not called,
  ///   or what it wrote is gone.
  /// - Throws: ``StorageError/fileSystem(_:)``, and what `write` throws. Nothing is left behind.
  package func writeWhole(
    _ path: FilePath, replacing: Bool, _ write: (FileSink) throws -> Void
  ) throws -> Bool {
    if try !replacing && exists(path) { return false }
    let number = Self.exports.add(1, ordering: .relaxed).newValue
    let temporary = path.removingLastComponent()
      .appending(".safelight-export-\(getpid())-\(number)")
    do {
      let sink = try onDisk { () throws(FileSystemError) in
        try FileSink(creating: temporary, self)
      }
      sink.holdFile(self)
      try write(sink)
      return try onDisk { () throws(FileSystemError) in
        _ = try sink.finish(.render)
        if replacing {
          try rename(temporary, to: path)
        } else if try !renameWithoutReplacing(temporary, to: path) {
          try unlink(temporary)
          return false
        }
        let folder = path.removingLastComponent()
        try syncFolder(folder.isEmpty ? "." : folder)
        return true
      }
    } catch {
      try? unlink(temporary)
      throw error
    }
  }
}
