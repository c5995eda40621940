import Glibc

extension FileSystem {
  /// Tries to take a lock on an open file: at once or not at all.
  ///
  /// - Returns: `false` when somebody else holds a lock that excludes this one.
  func lock(_ file: OpenFile, exclusively: Bool) throws(FileSystemError) -> Bool {
    let step = Step(.lock, file.path)
    try announce(step)
    do {
      _ = try retrying(step) { flock(file.descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) }
      return true
    } catch {
      if error.errno == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Tries to take an exclusive lock on an open file: at once or not at all.
  ///
  /// NFS, and whatever else makes record locks of `flock`, gives such a lock only to a descriptor
  /// that might write. There a second one is opened for it; nothing is written through that.
  /// - Returns: The descriptor that has the lock; `nil` when somebody else holds one, or another file
  ///   has the name by now.
  func lockExclusively(_ file: OpenFile) throws(FileSystemError) -> OpenFile? {
    do {
      return try lock(file, exclusively: true) ? file : nil
    } catch {
      guard error.errno == EBADF else { throw error }
    }
    let holder = try openForLocking(file.path)
    guard try status(of: holder).isSameFile(as: status(of: file)) else { return nil }
    return try lock(holder, exclusively: true) ? holder : nil
  }

  private func openForLocking(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    let step = Step(.open, path)
    try announce(step)
    let descriptor = try retrying(step) {
      path.withCString { open($0, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) }
    }
    return OpenFile(descriptor: descriptor, path: path)
  }
}
