import Glibc

extension FileSystem {
  /// Bytes asked for in one read.
  static let chunkSize = 1 << 20

  /// Opens a file for reading, where allowed without touching its access time.
  ///
  /// Never waits: a pipe opens at once, to be refused by its kind.
  /// - Throws: `ELOOP` when a symbolic link stands at the end of the path.
  func openReadOnly(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    let step = Step(.open, path)
    try announce(step)
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    do {
      let descriptor = try retrying(step) {
        path.withCString { open($0, flags | Self.noAccessTime) }
      }
      return OpenFile(descriptor: descriptor, path: path)
    } catch {
      // Only a file's owner may leave the access time alone; others read it the ordinary way.
      guard error.errno == EPERM else { throw error }
    }
    let descriptor = try retrying(step) { path.withCString { open($0, flags) } }
    return OpenFile(descriptor: descriptor, path: path)
  }

  /// Reads into `buffer` from `offset` on; fewer bytes than asked for only at the end.
  func read(
    _ file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileSystemError) -> Int {
    let step = Step(.read, file.path)
    try announce(step)
    var filled = 0
    while filled < buffer.count {
      let count = try retrying(step) {
        pread(
          file.descriptor, buffer.baseAddress! + filled, buffer.count - filled,
          off_t(offset) + filled)
      }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Hands a file's bytes to `body`, a chunk at a time, from the beginning to the end.
  func readChunks(
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
  func contents(of file: OpenFile, limit: Int) throws(FileSystemError) -> [UInt8] {
    let size = try status(of: file).size
    guard size <= limit else { throw FileSystemError(Step(.read, file.path), errno: EFBIG) }
    var contents: [UInt8] = []
    contents.reserveCapacity(Int(size))
    try readChunks(of: file) { (chunk) throws(FileSystemError) in
      guard contents.count + chunk.count <= limit else {
        throw FileSystemError(Step(.read, file.path), errno: EFBIG)
      }
      contents.append(contentsOf: chunk)
    }
    return contents
  }

  /// The SHA-256 of everything in an open file.
  func digest(of file: OpenFile) throws(FileSystemError) -> Digest {
    let hasher = SHA256()
    try readChunks(of: file) { (chunk) throws(FileSystemError) in hasher.update(chunk) }
    return hasher.finish()
  }

  /// `O_NOATIME`, which Glibc's module leaves out because its value depends on the processor.
  private static let noAccessTime: Int32 = 0o1000000
}
