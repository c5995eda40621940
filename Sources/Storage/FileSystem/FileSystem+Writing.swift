import Glibc

extension FileSystem {
  /// Creates a file for writing under a name that nothing has; mode 0644 less the umask.
  func createExclusive(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    let step = Step(.create, path)
    try announce(step)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = try retrying(step) { path.withCString { open($0, flags, 0o644) } }
    return OpenFile(descriptor: descriptor, path: path)
  }

  /// Appends all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(FileSystemError) {
    let step = Step(.write, file.path)
    switch fault(at: step) {
    case nil:
      try writeAll(bytes, to: file, step)
    case .failure(let errno):
      throw FileSystemError(step, errno: errno)
    case .partialWrite(let errno):
      try writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), to: file, step)
      throw FileSystemError(step, errno: errno)
    }
  }

  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, to file: OpenFile, _ step: Step
  ) throws(FileSystemError) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = try retrying(step) { Glibc.write(file.descriptor, start, rest.count) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Waits until a file's bytes are on the disk.
  func sync(_ file: OpenFile) throws(FileSystemError) {
    let step = Step(.sync, file.path)
    try announce(step)
    _ = try retrying(step) { fsync(file.descriptor) }
  }

  /// Waits until a folder's names are on the disk.
  func syncFolder(_ folder: FilePath) throws(FileSystemError) {
    let step = Step(.syncFolder, folder)
    try announce(step)
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = try retrying(step) { folder.withCString { open($0, flags) } }
    defer { close(descriptor) }
    do {
      _ = try retrying(step) { fsync(descriptor) }
    } catch {
      // Some network file systems write names through and do not know this call for folders.
      guard error.errno == EINVAL || error.errno == ENOTSUP else { throw error }
    }
  }

  /// Gives a file another name in one step, in place of whatever file has it.
  func rename(_ source: FilePath, to target: FilePath) throws(FileSystemError) {
    let step = Step(.rename, target)
    try announce(step)
    _ = try retrying(step) {
      source.withCString { from in target.withCString { Glibc.rename(from, $0) } }
    }
  }

  /// Gives a file a name that nothing has.
  ///
  /// The new name appears in one step and the old one goes in another, so that a file of that
  /// name is never replaced, even one that appeared a moment ago.
  /// - Returns: `false` when something has the name; then nothing is done.
  func renameWithoutReplacing(
    _ source: FilePath, to target: FilePath
  ) throws(FileSystemError) -> Bool {
    let step = Step(.rename, target)
    try announce(step)
    do {
      _ = try retrying(step) {
        source.withCString { from in target.withCString { link(from, $0) } }
      }
    } catch {
      if error.errno == EEXIST { return false }
      // FAT and some network file systems have no second names.
      guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(error.errno) else { throw error }
      if try status(of: target) != nil { return false }
      try rename(source, to: target)
      return true
    }
    try unlink(source)
    return true
  }

  /// Removes a file, not a folder; that there is none is fine.
  func unlink(_ path: FilePath) throws(FileSystemError) {
    // Looking first: on a read-only disk even the removal of nothing is refused.
    guard try status(of: path) != nil else { return }
    let step = Step(.unlink, path)
    try announce(step)
    do {
      _ = try retrying(step) { path.withCString { Glibc.unlink($0) } }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }
}
