import FoundationEssentials
import Glibc
import SafelightCLinux

/// Paths and what stands under them.
extension FileSystem {
  /// The absolute path of the file that `path` leads to, all symbolic links followed.
  ///
  /// On disks that do not tell capital letters from small ones, its name is as the disk spells it, so
  /// that a photo has one name however it was asked for.
  package func resolve(_ path: FilePath) throws(FileSystemError) -> FilePath {
    let operation = Operation(.resolve, path)
    try announce(operation)
    let here: FilePath = path.isEmpty ? "." : path
    guard let resolved = here.withCString({ realpath($0, nil) }) else {
      throw FileSystemError(operation, errno: errno)
    }
    defer { free(resolved) }
    return asTheDiskSpells(
      FilePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
  }

  /// The path with the names that the folders have, on a disk where other spellings lead to the same file.
  ///
  /// Almost always the other spelling leads nowhere, and no folder is listed. Inodes do not tell: some disks
  /// give each spelling one of its own.
  private func asTheDiskSpells(_ path: FilePath) -> FilePath {
    guard let name = path.lastComponent, let other = name.spelledOtherwise else { return path }
    let folder = path.removingLastComponent()
    guard (try? Self.real.status(of: folder.appending(other))) != nil,
      let names = try? names(in: folder), let spelled = name.spelled(asIn: names)
    else { return path }
    return asTheDiskSpells(folder).appending(spelled)
  }

  /// What stands under a path, without following a link there; `nil` when nothing does.
  package func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
    try status(at: place(path))
  }

  func status(
    at place: FilePlace, following: Bool = false
  ) throws(FileSystemError) -> FileStatus? {
    var facts = stat()
    do {
      try perform(Operation(.status, place.path)) {
        place.call { fstatat($0, $1, &facts, following ? 0 : AT_SYMLINK_NOFOLLOW) }
      }
    } catch {
      // A name too long to exist is a name that nothing has; a circle of links leads nowhere.
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.errno) { return nil }
      if following, error.errno == ELOOP { return nil }
      throw error
    }
    return FileStatus(facts)
  }

  /// What an open file is now.
  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    var facts = stat()
    try perform(Operation(.status, file.path)) { fstat(file.descriptor, &facts) }
    return FileStatus(facts)
  }

  /// What a path leads to, symbolic links followed; `nil` when it leads nowhere.
  package func statusFollowingLinks(of path: FilePath) throws(FileSystemError) -> FileStatus? {
    try status(at: place(path), following: true)
  }

  /// The kind of what stands under a path; `nil` when nothing does.
  ///
  /// - Parameter following: Whether to ask where a symbolic link leads.
  package func kind(
    of path: FilePath, following: Bool = false
  ) throws(FileSystemError) -> FileStatus.Kind? {
    try status(at: place(path), following: following)?.kind
  }

  /// Whether anything stands under a path, links not followed.
  package func exists(_ path: FilePath) throws(FileSystemError) -> Bool {
    try status(of: path) != nil
  }

  /// Whether both paths lead to the same file, links followed.
  package func areSameFile(_ one: FilePath, _ other: FilePath) -> Bool {
    guard let first = try? statusFollowingLinks(of: one),
      let second = try? statusFollowingLinks(of: other)
    else { return false }
    return first.isSameFile(as: second)
  }

  /// The absolute path that a path leads to when it is a folder, links followed; else `nil`.
  package func folder(at path: FilePath) -> FilePath? {
    guard let resolved = try? resolve(path), (try? kind(of: resolved)) == .folder else {
      return nil
    }
    return resolved
  }

  /// Whether this process may make and rename files in a folder.
  package func mayWrite(in folder: FilePath) -> Bool {
    do { try checkMayWrite(in: folder) } catch { return false }
    return true
  }

  /// Throws what the system would say of a new file in a folder, and makes none.
  package func checkMayWrite(in folder: FilePath) throws(FileSystemError) {
    let here: FilePath = folder.isEmpty ? "." : folder
    try perform(Operation(.create, folder.appending(".safelight-"))) {
      here.withCString { access($0, W_OK | X_OK) }
    }
  }

  /// Throws what the system would say of a new file, and makes none.
  ///
  /// - Parameter makingFolders: Whether folders that are not there would be made, too.
  package func checkMayMake(
    _ path: FilePath, makingFolders: Bool
  ) throws(FileSystemError) {
    var folder = path.removingLastComponent()
    var names = [path.lastComponent ?? path]
    while makingFolders, !folder.isEmpty, try statusFollowingLinks(of: folder) == nil,
      let name = folder.lastComponent
    {
      names.append(name)
      folder = folder.removingLastComponent()
    }
    if let status = try statusFollowingLinks(of: folder), status.kind != .folder {
      throw FileSystemError(Operation(.openFolder, folder), errno: ENOTDIR)
    }
    try checkMayWrite(in: folder)
    let here: FilePath = folder.isEmpty ? "." : folder
    let longest = here.withCString { pathconf($0, Int32(_PC_NAME_MAX)) }
    guard longest < 0 || names.allSatisfy({ $0.bytes.count <= longest }),
      path.bytes.count < PATH_MAX
    else { throw FileSystemError(Operation(.create, path), errno: ENAMETOOLONG) }
  }

  /// The kind of the network disk that a path is on, such as `NFS`; `nil` for a disk of this computer.
  package func networkDisk(of path: FilePath) -> String? {
    // Source: statfs(2).
    switch path.withCString({ safelight_disk($0) }) {
    case 0x6969: return "NFS"
    case 0x517B, 0xFF53_4D42, 0xFE53_4D42: return "SMB"
    case 0x0102_1997: return "9p"
    case 0x00C3_6400: return "Ceph"
    case 0x5346_414F: return "AFS"
    case 0x6573_5546: return programDisk(of: path)
    default: return nil
    }
  }

  /// The kind of a disk that a program offers (FUSE), when the program gets its files from a network.
  private func programDisk(of path: FilePath) -> String? {
    guard let device = try? statusFollowingLinks(of: path)?.device,
      let mounts = try? bytes(of: openForReading("/proc/self/mountinfo"), count: 1 << 20)
    else { return nil }
    return Self.programDisk(String(decoding: mounts, as: UTF8.self), device: device)
  }

  /// - Parameter mounts: Lines as in proc(5), such as
  ///   `36 35 0:42 / /mnt rw shared:1 - fuse.sshfs host:/photos rw`.
  static func programDisk(_ mounts: String, device: UInt64) -> String? {
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    let line = mounts.split(separator: "\n").first {
      $0.split(separator: " ").dropFirst(2).first == "\(major):\(minor)"
    }
    guard let words = line?.split(separator: " "), let dash = words.firstIndex(of: "-"),
      dash + 1 < words.count, words[dash + 1].hasPrefix("fuse.")
    else { return nil }
    let kind = String(words[dash + 1].dropFirst(5))
    let networks = ["sshfs", "rclone", "s3fs", "glusterfs", "curlftpfs", "davfs", "gvfsd-fuse"]
    return networks.contains(kind) ? kind : nil
  }

  /// The length in bytes of an ordinary file; `nil` for links, folders and what is not there.
  package func sizeOfFile(at path: FilePath) throws(FileSystemError) -> Int64? {
    guard let status = try status(of: path), status.kind == .file else { return nil }
    return status.size
  }
}

/// The bytes of files.
extension FileSystem {
  /// Bytes asked for in one read.
  package static let chunkSize = 1 << 20

  /// Opens any file for reading, symbolic links followed.
  package func openForReading(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openReadOnly(resolve(path))
  }

  /// Opens a file that the user named for input. Symbolic links are followed. A device works too, and so
  /// does a pipe of the shell, which has no path of its own.
  package func openForInput(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try open(place(path), .open, flags: O_RDONLY)
  }

  /// Opens a file for reading, where allowed without touching its access time.
  ///
  /// Never waits: a pipe opens at once, to be refused by its kind.
  /// - Throws: `ELOOP` when a symbolic link stands at the end of the path.
  package func openReadOnly(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openReadOnly(at: place(path))
  }

  func openReadOnly(at place: FilePlace) throws(FileSystemError) -> OpenFile {
    try openWithoutAccessTime(place, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
  }

  /// Opens the file of an open file once more, with a position of its own, whatever has happened to
  /// the file's name meanwhile.
  package func reopened(_ file: OpenFile) throws(FileSystemError) -> OpenFile {
    try withExtendedLifetime(file) { () throws(FileSystemError) in
      try openWithoutAccessTime(
        FilePlace(FilePath("/proc/self/fd/\(file.descriptor)")), flags: O_RDONLY)
    }
  }

  private func openWithoutAccessTime(
    _ place: FilePlace, flags: Int32
  ) throws(FileSystemError) -> OpenFile {
    do {
      return try open(place, .open, flags: flags | Self.noAccessTime)
    } catch {
      // Only a file's owner may leave the access time alone; others read it the ordinary way.
      guard error.errno == EPERM else { throw error }
    }
    return try open(place, .open, flags: flags)
  }

  func open(
    _ place: FilePlace, _ kind: Operation.Kind, flags: Int32, mode: UInt32 = 0
  ) throws(FileSystemError) -> OpenFile {
    let descriptor = try perform(Operation(kind, place.path)) {
      place.call { openat($0, $1, flags | O_CLOEXEC, mode) }
    }
    return OpenFile(descriptor: descriptor, path: place.path)
  }

  /// Reads into `buffer` from `offset` on; fewer bytes than asked for only at the end.
  package func read(
    _ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileSystemError) -> Int {
    let operation = Operation(.read, file.path)
    try announce(operation)
    var filled = 0
    while filled < buffer.count {
      let count = try retrying(operation) {
        pread(
          file.descriptor, buffer.baseAddress! + filled, buffer.count - filled,
          off_t(offset) + filled)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// The bytes of a file from `offset` on; fewer than `count` only when the file ends before.
  package func bytes(
    of file: OpenFile, from offset: Int64 = 0, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer.prefix(try read(file, at: offset, into: buffer)))
  }

  /// The beginning of a file that is no link; fewer bytes than asked for only when it has no more.
  package func firstBytes(of path: FilePath, count: Int) throws(FileSystemError) -> [UInt8] {
    try bytes(of: openReadOnly(path), count: count)
  }

  /// The first bytes of a file, up to 1 MiB, symbolic links followed.
  package func beginningOfFile(at path: FilePath) throws(FileSystemError) -> [UInt8] {
    try bytes(of: openForReading(path), count: Self.chunkSize)
  }

  /// Hands a file's bytes to `body`, a chunk at a time, from the beginning to the end.
  package func readChunks(
    of file: OpenFile, _ body: (UnsafeRawBufferPointer) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 64)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = try read(file, at: offset, into: buffer)
      if count > 0 { try body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      if count < buffer.count { return }
      offset += Int64(count)
    }
  }

  /// All bytes of an open file.
  ///
  /// - Throws: `EFBIG` when there are more than `limit`, before any is read.
  package func contents(of file: OpenFile, limit: Int) throws(FileSystemError) -> [UInt8] {
    let size = try status(of: file).size
    guard size <= limit else { throw FileSystemError(Operation(.read, file.path), errno: EFBIG) }
    var contents: [UInt8] = []
    contents.reserveCapacity(Int(size))
    try readChunks(of: file) { (chunk) throws(FileSystemError) in
      guard contents.count + chunk.count <= limit else {
        throw FileSystemError(Operation(.read, file.path), errno: EFBIG)
      }
      contents.append(contentsOf: chunk)
    }
    return contents
  }

  /// All bytes that come from a pipe, a socket or a terminal until its end, at most `limit` of them.
  package func contents(
    ofStream file: OpenFile, limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    let operation = Operation(.read, file.path)
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try retrying(operation) { Glibc.read(file.descriptor, &buffer, buffer.count) }
      if count == 0 { return contents }
      guard contents.count + count <= limit else {
        throw FileSystemError(operation, errno: EFBIG)
      }
      contents += buffer[..<count]
    }
  }

  /// All bytes of a file of at most `limit` bytes, symbolic links followed.
  package func contents(of path: FilePath, limit: Int) throws(FileSystemError) -> [UInt8] {
    try contents(of: openForReading(path), limit: limit)
  }

  /// The SHA-256 of everything in an open file.
  package func digest(of file: OpenFile) throws(FileSystemError) -> Digest {
    let hasher = SHA256()
    try readChunks(of: file) { (chunk) throws(FileSystemError) in hasher.update(chunk) }
    return hasher.finish()
  }

  /// The SHA-256 of a file, symbolic links followed.
  package func digestOfFile(at path: FilePath) throws(FileSystemError) -> Digest {
    try digest(of: openForReading(path))
  }

  /// `O_NOATIME`, which Glibc's module leaves out because its value depends on the processor.
  private static let noAccessTime: Int32 = 0o1000000
}

/// The names in folders.
extension FileSystem {
  /// The names in a folder, in no particular order, without `.` and `..`.
  package func names(in folder: FilePath) throws(FileSystemError) -> [FilePath] {
    var names: [FilePath] = []
    try forEachEntry(in: folder) { names.append($0.name) }
    return names
  }

  /// The names in a folder, in no particular order; none when there is no such folder.
  package func namesIfPresent(in folder: FilePath) throws(FileSystemError) -> [FilePath] {
    do throws(FileSystemError) {
      return try names(in: folder)
    } catch {
      if error.errno == ENOENT || error.errno == ENOTDIR { return [] }
      throw error
    }
  }

  /// Hands out the names in a folder one by one, in no particular order, and keeps none of them.
  package func forEachEntry(
    in folder: FilePath, _ body: (FolderEntry) -> Void
  ) throws(FileSystemError) {
    try forEachEntry(at: place(folder), folder, body)
  }

  func forEachEntry(
    at place: FilePlace, _ folder: FilePath, _ body: (FolderEntry) -> Void
  ) throws(FileSystemError) {
    let operation = Operation(.list, folder)
    let descriptor = try perform(operation) {
      place.call { openat($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw FileSystemError(operation, errno: errno)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileSystemError(operation, errno: errno) }
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

  /// Works through names of a folder in the order of their bytes, however many there are: never
  /// more than two pages of them are in memory, and the folder is listed once for each page.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - page: How many names a page has.
  ///   - isWanted: Says which names to work through.
  ///   - body: Called for each, while the folder is not being listed.
  /// - Throws: ``FileSystemError``, and what `body` throws.
  package func forEachNameInOrder(
    in folder: FilePath, page: Int = 8192, where isWanted: KeyPath<FolderEntry, Bool>,
    _ body: (FilePath) throws -> Void
  ) throws {
    var last: FilePath?
    while true {
      var names: [FilePath] = []
      var isCut = false
      func cut() {
        names.sort(by: <)
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
