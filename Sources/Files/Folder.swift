import Glibc
import SafelightCLinux

/// An open folder, in which files are found by name.
///
/// The names are those of the folder that was opened, even when its path leads elsewhere later, for
/// example through a symbolic link. Names have no slashes, and no call follows a symbolic link that
/// has the name.
///
/// ```swift
/// let folder = try Folder("/photos/2024")
/// if try folder.status(of: "beach.jpg")?.kind == .file {
///   try folder.rename("beach.jpg", to: "sea.jpg", replacing: false)
///   try folder.sync()
/// }
/// ```
package final class Folder: Sendable {
  /// The path that the folder was opened by.
  package let path: FilePath
  /// The way to the disk.
  package let fileSystem: FileSystem
  /// The open folder itself, for example to be locked.
  package let file: OpenFile

  /// Opens a folder; the empty path is the current one. Symbolic links are followed.
  package convenience init(
    _ path: FilePath, _ fileSystem: FileSystem = .real
  ) throws(FileSystemError) {
    try self.init(at: FilePlace(path), path, fileSystem)
  }

  init(
    at place: FilePlace, _ path: FilePath, following: Bool = true, _ fileSystem: FileSystem
  ) throws(FileSystemError) {
    let flags = O_DIRECTORY | O_CLOEXEC | (following ? 0 : O_NOFOLLOW)
    let operation = FileSystem.Operation(.openFolder, place.path)
    try fileSystem.announce(operation)
    let descriptor: Int32
    do throws(FileSystemError) {
      descriptor = try fileSystem.retrying(operation) { place.call { openat($0, $1, flags) } }
    } catch {
      // Files in a folder that may not be listed can be opened nevertheless.
      guard error.errno == EACCES else { throw error }
      descriptor = try fileSystem.retrying(operation) {
        place.call { openat($0, $1, flags | Self.onlyNames) }
      }
    }
    file = OpenFile(descriptor: descriptor, path: path)
    self.path = path
    self.fileSystem = fileSystem
  }

  /// `O_PATH`, which Swift's module of the C library leaves out.
  private static let onlyNames: Int32 = 0o10000000

  func place(_ name: FilePath) -> FilePlace { FilePlace(name, in: self) }

  /// Opens a folder in this one.
  package func folder(_ name: FilePath) throws(FileSystemError) -> Folder {
    try Folder(at: place(name), path.appending(name), following: false, fileSystem)
  }

  /// Opens a folder below this one, folder by folder, so that no symbolic link is followed.
  ///
  /// - Parameters:
  ///   - path: A path that begins with this folder's.
  ///   - making: Whether folders that are missing are made. All names are on the disk then, those too
  ///     that a process made which died before it flushed them.
  package func folder(
    at path: FilePath, making: Bool = false
  ) throws(FileSystemError) -> Folder {
    guard path != self.path, let name = path.lastComponent else { return self }
    let parent = path.removingLastComponent()
    guard parent == self.path || parent.isInside(self.path) else {
      throw FileSystemError(.init(.openFolder, path), errno: EXDEV)
    }
    let above = try folder(at: parent, making: making)
    if making {
      try above.createFolder(name)
      try above.sync()
    }
    return try above.folder(name)
  }

  /// The status of a file; `nil` when nothing has the name.
  package func status(of name: FilePath) throws(FileSystemError) -> FileStatus? {
    try fileSystem.status(at: place(name))
  }

  /// Whether anything has a name.
  package func contains(_ name: FilePath) throws(FileSystemError) -> Bool {
    try status(of: name) != nil
  }

  /// All names in the folder, in no particular order.
  package func names() throws(FileSystemError) -> [FilePath] {
    var names: [FilePath] = []
    try forEachEntry { names.append($0.name) }
    return names
  }

  /// Hands out the names in the folder one by one, in no particular order, and keeps none of them.
  package func forEachEntry(_ body: (FolderEntry) -> Void) throws(FileSystemError) {
    try fileSystem.forEachEntry(at: place("."), path, body)
  }

  /// Opens a file for reading, where allowed without touching its access time.
  package func open(_ name: FilePath) throws(FileSystemError) -> OpenFile {
    try fileSystem.openReadOnly(at: place(name))
  }

  /// All bytes of a file of at most `limit` bytes.
  package func contents(of name: FilePath, limit: Int) throws(FileSystemError) -> [UInt8] {
    try fileSystem.contents(of: open(name), limit: limit)
  }

  /// Creates a file for writing under a name that nothing has.
  package func create(_ name: FilePath, mode: UInt32 = 0o644) throws(FileSystemError) -> OpenFile {
    try fileSystem.createExclusive(at: place(name), mode: mode)
  }

  /// Creates a folder in this one.
  ///
  /// - Returns: `false` when something has the name; then nothing is done.
  @discardableResult
  package func createFolder(
    _ name: FilePath, mode: UInt32 = 0o755
  ) throws(FileSystemError) -> Bool {
    try fileSystem.createFolder(at: place(name), mode: mode)
  }

  /// Gives a file another name, in this folder or another one on the same disk.
  ///
  /// - Parameter replacing: Whether the file takes the place of one that has the name.
  /// - Returns: `false` when something has the name and may not be replaced; then nothing is done.
  @discardableResult
  package func rename(
    _ name: FilePath, to newName: FilePath, in folder: Folder? = nil, replacing: Bool
  ) throws(FileSystemError) -> Bool {
    let target = (folder ?? self).place(newName)
    if !replacing { return try fileSystem.renameWithoutReplacing(place(name), to: target) }
    try fileSystem.rename(place(name), to: target)
    return true
  }

  /// Gives a file a further name.
  ///
  /// - Returns: `false` when something has the name; then nothing is done.
  package func link(
    _ name: FilePath, as newName: FilePath, in folder: Folder? = nil
  ) throws(FileSystemError) -> Bool {
    try fileSystem.link(place(name), to: (folder ?? self).place(newName))
  }

  /// Moves a file into another folder, which may be on another disk: then the file is copied with
  /// its times and permissions, and removed here once the copy is on the disk.
  ///
  /// - Returns: `false` when something has the name there; then nothing is done.
  package func move(
    _ name: FilePath, into folder: Folder, as newName: FilePath
  ) throws(FileSystemError) -> Bool {
    do {
      return try rename(name, to: newName, in: folder, replacing: false)
    } catch {
      guard error.errno == EXDEV else { throw error }
    }
    let source = try open(name)
    let sink = try FileSink(in: folder, mode: 0o600)
    do throws(FileSystemError) {
      try sink.copy(source)
      guard try sink.place(as: newName, replacing: false) else { return false }
    } catch {
      sink.discard()
      throw error
    }
    try remove(name)
    return true
  }

  /// Removes a file, not a folder; a missing file is no error.
  package func remove(_ name: FilePath) throws(FileSystemError) {
    try fileSystem.unlink(at: place(name))
  }

  /// Removes an empty folder; a missing folder is no error.
  package func removeFolder(_ name: FilePath) throws(FileSystemError) {
    try fileSystem.unlink(at: place(name), isFolder: true)
  }

  /// Removes a file, or a folder with all that is in it; a missing one is no error.
  package func removeTree(_ name: FilePath) throws(FileSystemError) {
    guard let status = try status(of: name) else { return }
    guard status.kind == .folder else { return try remove(name) }
    let inner = try folder(name)
    for name in try inner.names() { try inner.removeTree(name) }
    try removeFolder(name)
  }

  /// Waits until the folder's names are on the disk.
  package func sync() throws(FileSystemError) {
    let operation = FileSystem.Operation(.syncFolder, path)
    do {
      try fileSystem.perform(operation) { fsync(file.descriptor) }
    } catch {
      // Some network file systems write names through and do not know this call for folders.
      guard error.errno == EINVAL || error.errno == ENOTSUP else { throw error }
    }
  }
}

/// One name in a folder.
package struct FolderEntry: Sendable, Hashable {
  /// The name, without slashes.
  package let name: FilePath
  /// Whether it is a folder itself; a symbolic link to one is none.
  package let isFolder: Bool
}
