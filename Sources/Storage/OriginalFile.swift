import Glibc
import SafelightFiles
import Synchronization

/// The original, open for reading. Nothing here writes to it, and where the system allows it, not
/// even its access time changes.
package final class OriginalFile: Sendable {
  /// The original's absolute path, symbolic links followed.
  package let path: FilePath
  /// Size, times and mode when it was opened.
  package let status: FileStatus
  /// The open file; its descriptor may be read from with `pread` as long as this object lives.
  package let file: OpenFile

  /// The way to the disk, which finds the files beside the original by their names in the folder
  /// that was opened with it.
  let fileSystem: FileSystem
  private let known = Mutex<Digest?>(nil)
  /// The descriptor with the exclusive lock: ``file``, or another one of the same original.
  private let lockHolder = Mutex<OpenFile?>(nil)

  private init(_ file: OpenFile, _ status: FileStatus, in fileSystem: FileSystem) {
    self.path = file.path
    self.status = status
    self.file = file
    self.fileSystem = fileSystem
  }

  /// The original's own name.
  package var name: FilePath { path.lastComponent ?? path }

  /// The SHA-256 of the original, computed when first asked for; any thread may ask.
  ///
  /// Takes as long as reading the file. A second caller waits for the first.
  package func digest() throws(StorageError) -> Digest {
    do {
      return try known.withLock { (known) throws(FileSystemError) -> Digest in
        if let digest = known { return digest }
        let digest = try fileSystem.digest(of: file)
        known = digest
        return digest
      }
    } catch {
      throw .originalUnreadable(error)
    }
  }

  /// Throws when the original is no longer the file, or the content, that was opened.
  func checkUnchanged() throws(StorageError) {
    let now: FileStatus
    do {
      now = try fileSystem.status(of: file)
    } catch {
      throw .originalUnreadable(error)
    }
    guard now.size == status.size, now.modified == status.modified, try isStillThere() else {
      throw .originalChanged(path)
    }
  }
}

extension OriginalFile {
  /// Opens and locks the original that `path` leads to.
  ///
  /// The lock is `flock` on the original itself: it ends with the process that holds it and leaves
  /// no file behind. Where the system demands it, as NFS does, an exclusive lock is taken through a
  /// second descriptor that is open for writing and never written to.
  static func open(
    _ path: FilePath, exclusively: Bool, timeout: Duration, _ fileSystem: FileSystem
  ) throws(StorageError) -> OriginalFile {
    let start = ContinuousClock.now
    var pause: UInt32 = 1_000
    while true {
      let original = try open(path, fileSystem)
      if try original.lock(exclusively: exclusively) {
        // During the wait, another file may have taken the name.
        if try original.isStillThere() { return original }
        original.unlock()
      }
      let waited = ContinuousClock.now - start
      guard waited < timeout else { throw .busy(path, waited: waited) }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
  }

  private static func open(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> OriginalFile {
    let original: OriginalFile
    do {
      let resolved = try fileSystem.resolve(path)
      let folder = try Folder(resolved.removingLastComponent(), fileSystem)
      let anchored = fileSystem.anchored(at: folder)
      let file = try anchored.openReadOnly(resolved)
      original = OriginalFile(file, try anchored.status(of: file), in: anchored)
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      case ENXIO, ENODEV: throw .originalNotAFile(path)
      default: throw .originalUnreadable(error)
      }
    }
    guard original.status.kind == .file else { throw .originalNotAFile(path) }
    return original
  }

  private func lock(exclusively: Bool) throws(StorageError) -> Bool {
    do {
      guard exclusively else { return try fileSystem.lock(file, exclusively: false) }
      let holder = try fileSystem.lockExclusively(file)
      lockHolder.withLock { $0 = holder }
      return holder != nil
    } catch {
      throw .lockingUnavailable(path, errno: error.errno)
    }
  }

  /// Releases the lock; the original stays open for reading.
  func unlock() {
    file.unlock()
    lockHolder.withLock { $0.take() }?.unlock()
  }

  private func isStillThere() throws(StorageError) -> Bool {
    do {
      return try fileSystem.status(of: path)?.isSameFile(as: status) ?? false
    } catch {
      throw .originalUnreadable(error)
    }
  }
}
