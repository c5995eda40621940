import Glibc
import SafelightCLinux

/// Files that are made and written.
extension FileSystem {
  /// Creates a file for writing under a name that nothing has.
  ///
  /// - Parameter mode: The permissions, less the umask.
  package func createExclusive(
    _ path: FilePath, mode: UInt32 = 0o644
  ) throws(FileSystemError) -> OpenFile {
    try createExclusive(at: place(path), mode: mode)
  }

  func createExclusive(at place: FilePlace, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try open(place, .create, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// Opens a file that grows at its end and may be read too; makes it when there is none.
  ///
  /// - Throws: `ELOOP` when a symbolic link stands at the end of the path.
  package func openForAppending(
    _ path: FilePath, mode: UInt32 = 0o644
  ) throws(FileSystemError) -> OpenFile {
    try open(place(path), .create, flags: O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: mode)
  }

  /// Opens a file or a device that is there for output, and empties it. Symbolic links are followed.
  ///
  /// - Parameter waiting: Whether a pipe that nobody reads is waited for; otherwise it fails with `ENXIO`.
  package func openForOutput(
    _ path: FilePath, waiting: Bool = true
  ) throws(FileSystemError) -> OpenFile {
    let file = try open(
      place(path), .open, flags: O_WRONLY | O_TRUNC | (waiting ? 0 : O_NONBLOCK))
    if !waiting {
      let flags = fcntl(file.descriptor, F_GETFL)
      _ = fcntl(file.descriptor, F_SETFL, flags & ~O_NONBLOCK)
    }
    return file
  }

  /// Appends all of `bytes`.
  package func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(FileSystemError) {
    let operation = Operation(.write, file.path)
    var rest = bytes
    repeat {
      let half = UnsafeRawBufferPointer(rebasing: rest[..<((rest.count + 1) / 2)])
      var part = rest
      switch fault(at: operation) {
      case nil: break
      case .shortWrite: part = half
      case .failure(EINTR): continue
      case .failure(let errno): throw FileSystemError(operation, errno: errno)
      case .partialWrite(let errno):
        try writeAll(half, to: file.descriptor, operation)
        throw FileSystemError(operation, errno: errno)
      }
      try writeAll(part, to: file.descriptor, operation)
      rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
    } while !rest.isEmpty
  }

  /// Writes all of `bytes` to the process's standard output.
  package func writeToStandardOutput(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FileSystemError) {
    let operation = Operation(.write, "standard output")
    try announce(operation)
    try writeAll(bytes, to: STDOUT_FILENO, operation)
  }

  /// Appends all of `bytes`.
  package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileSystemError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
      try write(UnsafeRawBufferPointer(bytes), to: file)
    }
  }

  private func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ operation: Operation
  ) throws(FileSystemError) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = try retrying(operation) { Glibc.write(descriptor, start, rest.count) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Cuts a file off.
  package func truncate(_ file: OpenFile, to size: Int64) throws(FileSystemError) {
    try perform(Operation(.truncate, file.path)) { ftruncate(file.descriptor, off_t(size)) }
  }

  /// Sets when a file was read and changed last; a missing value means now.
  package func setTimes(
    of file: OpenFile, accessed: FileStatus.Time? = nil, modified: FileStatus.Time? = nil
  ) throws(FileSystemError) {
    // Values of nanoseconds that stand for “now”: UTIME_NOW.
    let times = [accessed, modified].map { time in
      timespec(tv_sec: time?.seconds ?? 0, tv_nsec: time?.nanoseconds ?? (1 << 30) - 1)
    }
    try perform(Operation(.setAttributes, file.path)) { futimens(file.descriptor, times) }
  }

  /// Sets a file's permissions.
  package func setMode(of file: OpenFile, to mode: UInt32) throws(FileSystemError) {
    try perform(Operation(.setAttributes, file.path)) { fchmod(file.descriptor, mode) }
  }

  /// Lets others use a new file that was made for its owner alone, as far as they may use the file
  /// that it was made from.
  ///
  /// Permission bits alone do not tell that: the new file may have another group, and the other file
  /// an access control list. In a folder that gives its group to new files the group stays. The
  /// permissions come last, so that nobody opens the file before it has its group.
  /// - Parameters:
  ///   - mode: The permissions, less the umask.
  ///   - file: The new file, made with the mode 0600.
  ///   - model: The file that it was made from.
  package func admit(
    _ mode: UInt32, to file: OpenFile, like model: OpenFile
  ) throws(FileSystemError) {
    let operation = Operation(.setAttributes, file.path)
    let (own, other) = (try status(of: file), try status(of: model))
    // What the superuser makes for others is theirs, as the original is.
    if geteuid() == 0, own.owner != other.owner {
      try perform(operation) { fchown(file.descriptor, other.owner, gid_t.max) }
    }
    var hasItsGroup = own.group == other.group
    if !hasItsGroup {
      let folder = try status(of: folder(file.path.removingLastComponent()).file)
      hasItsGroup =
        folder.givesItsGroup || fchown(file.descriptor, uid_t.max, other.group) == 0
    }
    let list = "system.posix_acl_access"
    let size = fgetxattr(model.descriptor, list, nil, 0)
    if size > 0 {
      var bytes = [UInt8](repeating: 0, count: size)
      let isCopied =
        fgetxattr(model.descriptor, list, &bytes, size) == size
        && fsetxattr(file.descriptor, list, bytes, size, 0) == 0
      hasItsGroup = hasItsGroup && isCopied
    }
    // Another group may do no more than both the original's group and everybody may do.
    let everybody = (mode & 0o007) << 3
    let admitted = hasItsGroup ? mode : mode & ~0o070 | mode & 0o070 & everybody
    try setMode(of: file, to: admitted & ~Self.mask)
  }

  /// The process's umask, from proc(5). Setting it to read it would change the files that other
  /// threads make in that moment.
  private static let mask: UInt32 = {
    let status = try? real.bytes(of: real.openForReading("/proc/self/status"), count: 4096)
    let lines = String(decoding: status ?? [], as: UTF8.self).split(separator: "\n")
    let word = lines.first { $0.hasPrefix("Umask:") }?.split(separator: "\t").last
    if let mask = word.flatMap({ UInt32($0, radix: 8) }) { return mask }
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  /// Appends the bytes of a file to another. On disks that can, an empty target shares them with
  /// the source.
  package func copy(_ source: OpenFile, to target: OpenFile) throws(FileSystemError) {
    try announce(Operation(.write, target.path))
    if safelight_clone(target.descriptor, source.descriptor) == 0 { return }
    try readChunks(of: source) { (chunk) throws(FileSystemError) in
      try write(chunk, to: target)
    }
  }

  /// Waits until a file's bytes are on the disk.
  package func sync(_ file: OpenFile) throws(FileSystemError) {
    try perform(Operation(.sync, file.path)) { fsync(file.descriptor) }
  }
}

/// Names of files: given, changed and removed.
extension FileSystem {
  /// Waits until a folder's names are on the disk.
  package func syncFolder(_ path: FilePath) throws(FileSystemError) {
    try folder(path).sync()
  }

  /// Makes a folder with all that are missing above it, and puts their names on the disk.
  ///
  /// - Parameter mode: The permissions of folders that are made, less the umask; for the user alone
  ///   when left out.
  package func createFolders(
    _ folder: FilePath, mode: UInt32 = 0o700
  ) throws(FileSystemError) {
    if folder.isEmpty || folder.lastComponent == nil { return }
    // Asks first: a read-only disk refuses even to make a folder that is there already.
    if try status(of: folder) != nil { return }
    let parent = folder.removingLastComponent()
    try createFolders(parent, mode: mode)
    // Another program may have made it meanwhile.
    if try createFolder(at: place(folder), mode: mode) { try syncFolder(parent) }
  }

  func createFolder(at place: FilePlace, mode: UInt32) throws(FileSystemError) -> Bool {
    do {
      try perform(Operation(.createFolder, place.path)) { place.call { mkdirat($0, $1, mode) } }
      return true
    } catch {
      guard error.errno == EEXIST else { throw error }
      return false
    }
  }

  /// Gives a file another name at once, in place of whatever file has it.
  package func rename(_ source: FilePath, to target: FilePath) throws(FileSystemError) {
    try rename(place(source), to: place(target))
  }

  func rename(_ source: FilePlace, to target: FilePlace) throws(FileSystemError) {
    try perform(Operation(.rename, target.path)) {
      source.call { folder, name in target.call { renameat(folder, name, $0, $1) } }
    }
  }

  /// Gives a file a name that nothing has, even since a moment ago.
  ///
  /// - Returns: `false` when something has the name; then nothing is done.
  package func renameWithoutReplacing(
    _ source: FilePath, to target: FilePath
  ) throws(FileSystemError) -> Bool {
    try renameWithoutReplacing(place(source), to: place(target))
  }

  func renameWithoutReplacing(
    _ source: FilePlace, to target: FilePlace
  ) throws(FileSystemError) -> Bool {
    do {
      try perform(Operation(.rename, target.path)) {
        source.call { folder, name in target.call { safelight_rename(folder, name, $0, $1, 1) } }
      }
      return true
    } catch {
      if error.errno == EEXIST { return false }
      // NFS and some other file systems do not know the call.
      guard [EINVAL, ENOTSUP, ENOSYS].contains(error.errno) else { throw error }
    }
    do throws(FileSystemError) {
      guard try link(source, to: target) else { return false }
      try unlink(at: source)
    } catch {
      // Some network file systems have no second names either.
      guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(error.errno) else { throw error }
      if try status(at: target) != nil { return false }
      try rename(source, to: target)
    }
    return true
  }

  /// Exchanges what has two names. There is no moment at which either name is free.
  ///
  /// - Returns: `false` when the disk cannot do that; then nothing is done.
  package func exchange(_ one: FilePath, with other: FilePath) throws(FileSystemError) -> Bool {
    do {
      try perform(Operation(.rename, other)) {
        place(one).call { folder, name in
          place(other).call { safelight_rename(folder, name, $0, $1, 2) }
        }
      }
      return true
    } catch {
      guard [EINVAL, ENOTSUP, ENOSYS].contains(error.errno) else { throw error }
      return false
    }
  }

  /// Gives a file a further name.
  ///
  /// - Returns: `false` when something has the name; then nothing is done.
  package func link(_ source: FilePath, to target: FilePath) throws(FileSystemError) -> Bool {
    try link(place(source), to: place(target))
  }

  func link(_ source: FilePlace, to target: FilePlace) throws(FileSystemError) -> Bool {
    do {
      try perform(Operation(.rename, target.path)) {
        source.call { folder, name in target.call { linkat(folder, name, $0, $1, 0) } }
      }
      return true
    } catch {
      guard error.errno == EEXIST else { throw error }
      return false
    }
  }

  /// Removes a file, not a folder; a missing file is no error.
  package func unlink(_ path: FilePath) throws(FileSystemError) {
    try unlink(at: place(path))
  }

  func unlink(at place: FilePlace, isFolder: Bool = false) throws(FileSystemError) {
    // Asks first: a read-only disk refuses even to remove a file that is not there.
    guard try status(at: place) != nil else { return }
    do {
      try perform(Operation(.unlink, place.path)) {
        place.call { unlinkat($0, $1, isFolder ? AT_REMOVEDIR : 0) }
      }
    } catch {
      guard error.errno == ENOENT else { throw error }
    }
  }

  /// Removes a file and puts that on the disk; a missing file is no error.
  package func remove(_ path: FilePath) throws(FileSystemError) {
    try unlink(path)
    try syncFolder(path.removingLastComponent())
  }

  /// Removes a file, or a folder with all that is in it; a missing one is no error.
  package func removeTree(_ path: FilePath) throws(FileSystemError) {
    guard let name = path.lastComponent, try status(of: path) != nil else { return }
    try folder(path.removingLastComponent()).removeTree(name)
  }
}

extension FileSystem {
  /// The number of a process on this computer that has a lock on an open file, for messages; `nil`
  /// when the system does not tell.
  package func processLocking(_ file: OpenFile) -> Int32? {
    guard let inode = try? status(of: file).inode,
      let locks = try? bytes(of: openForReading("/proc/locks"), count: 1 << 20)
    else { return nil }
    // A line: `1: FLOCK ADVISORY WRITE 1234 08:01:5678 0 EOF`.
    for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(inode)"),
        let process = Int32(words[4]), process > 0
      else { continue }
      return process
    }
    return nil
  }
}

/// Locks of the kind `flock`, which go with the process that has them.
extension FileSystem {
  /// Takes a lock on an open file or folder.
  ///
  /// - Parameter waiting: Whether to wait for others; blocks the thread.
  /// - Returns: `false` when somebody else holds a lock that excludes this one.
  package func lock(
    _ file: OpenFile, exclusively: Bool, waiting: Bool = false
  ) throws(FileSystemError) -> Bool {
    let kind = (exclusively ? LOCK_EX : LOCK_SH) | (waiting ? 0 : LOCK_NB)
    do {
      try perform(Operation(.lock, file.path)) { flock(file.descriptor, kind) }
      return true
    } catch {
      if error.errno == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Tries to take an exclusive lock on an open file: at once or not at all.
  ///
  /// NFS, and whatever else makes record locks of `flock`, gives such a lock only to a descriptor
  /// that is open for writing. There a second one is opened for it; nothing is written through that
  /// one.
  /// - Returns: The descriptor that has the lock; `nil` when somebody else holds one, or another file
  ///   has the name by now.
  package func lockExclusively(_ file: OpenFile) throws(FileSystemError) -> OpenFile? {
    do {
      return try lock(file, exclusively: true) ? file : nil
    } catch {
      guard error.errno == EBADF else { throw error }
    }
    let holder = try open(place(file.path), .open, flags: O_RDWR | O_NONBLOCK | O_NOFOLLOW)
    guard try status(of: holder).isSameFile(as: status(of: file)) else { return nil }
    return try lock(holder, exclusively: true) ? holder : nil
  }
}
