import Glibc

/// A new file that is being written, under a hidden name until it is whole.
///
/// The hidden name is random unless the maker gives one, and the file is made only when nothing has
/// the name, so that no other program's file is ever written. Only the sink that made the file
/// removes it. Bytes are counted and hashed on the way. Not for use by two threads at once.
///
/// ```swift
/// let sink = try FileSink(in: folder)
/// do {
///   try sink.write(bytes)
///   try sink.place(as: "beach.jpg", replacing: false)
/// } catch {
///   sink.discard()
///   throw error
/// }
/// ```
package final class FileSink {
  /// What the names of new files begin with; the process number comes next, then a random number.
  package static let prefix = ".safelight-export-"

  private let folder: Folder
  private let file: OpenFile
  /// The hidden name.
  private let name: FilePath
  /// `nil` for files whose hash nobody asks for. Background work that goes on while the program
  /// ends must not need libcrypto, which may be gone by then.
  private let hasher: SHA256?
  private var size: Int64 = 0
  private var isPlaced = false
  private var fileSystem: FileSystem { folder.fileSystem }

  /// Makes an empty file under a random hidden name.
  ///
  /// - Parameters:
  ///   - folder: The folder that the file will be in.
  ///   - prefix: What the hidden name begins with.
  ///   - mode: The permissions, less the umask.
  package convenience init(
    in folder: Folder, prefix: String = FileSink.prefix, mode: UInt32 = 0o644
  ) throws(FileSystemError) {
    let number = UInt64.random(in: 0...UInt64(Int64.max))
    try self.init(
      FilePath("\(prefix)\(getpid())-\(number)"), in: folder, mode: mode, hasher: nil)
    // The lock shows others that the file is being written. On a disk without locks nothing shows
    // it.
    _ = try? fileSystem.lock(file, exclusively: true)
  }

  /// Makes an empty file under a hidden name. ``finish()`` will give its hash.
  package convenience init(
    named name: FilePath, in folder: Folder, mode: UInt32
  ) throws(FileSystemError) {
    try self.init(name, in: folder, mode: mode, hasher: SHA256())
  }

  /// The number of the process that made a file, from the file's hidden name; `nil` for other names.
  package static func process(of name: FilePath) -> Int32? {
    guard name.bytes.starts(with: prefix.utf8) else { return nil }
    let numbers = name.bytes.dropFirst(prefix.utf8.count).split(separator: UInt8(ascii: "-"))
    return numbers.count == 2 ? Int32(String(decoding: numbers[0], as: UTF8.self)) : nil
  }

  /// Lets others read the file as far as they may read the file that it is made from; see
  /// ``FileSystem/admit(_:to:like:)``.
  package func admit(_ mode: UInt32, like model: OpenFile) throws(FileSystemError) {
    try fileSystem.admit(mode, to: file, like: model)
  }

  private init(
    _ name: FilePath, in folder: Folder, mode: UInt32, hasher: SHA256?
  ) throws(FileSystemError) {
    self.folder = folder
    self.name = name
    self.hasher = hasher
    file = try folder.create(name, mode: mode)
  }

  /// The hidden path.
  package var path: FilePath { folder.path.appending(name) }

  /// Appends bytes, all of them or with an error.
  ///
  /// - Throws: ``FileSystemError``, for example when the disk is full.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
    try fileSystem.write(bytes, to: file)
    hasher?.update(bytes)
    size += Int64(bytes.count)
  }

  /// Appends bytes, all of them or with an error.
  ///
  /// - Throws: ``FileSystemError``, for example when the disk is full.
  package func write(_ bytes: [UInt8]) throws(FileSystemError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Copies a whole file with its times and permissions.
  package func copy(_ source: OpenFile) throws(FileSystemError) {
    let status = try fileSystem.status(of: source)
    try fileSystem.readChunks(of: source) { (chunk) throws(FileSystemError) in try write(chunk) }
    try fileSystem.setMode(of: file, to: status.mode)
    try setTimes(accessed: status.accessed, modified: status.modified)
  }

  /// Sets when the file was read and changed last.
  package func setTimes(
    accessed: FileStatus.Time, modified: FileStatus.Time
  ) throws(FileSystemError) {
    try fileSystem.setTimes(of: file, accessed: accessed, modified: modified)
  }

  /// Flushes everything to the disk. The file keeps its hidden name.
  ///
  /// - Returns: The length in bytes, and the SHA-256 of the bytes. Only for files with a name of the caller's.
  package func finish() throws(FileSystemError) -> (size: Int64, sha256: Digest) {
    guard let hasher else { preconditionFailure("the bytes of \(path) were not hashed") }
    try fileSystem.sync(file)
    return (size, hasher.finish())
  }

  /// Flushes everything to the disk and gives the file its name.
  ///
  /// - Parameters:
  ///   - name: The name, in the folder that the file was made in.
  ///   - replacing: Whether the file takes the place of one that has the name.
  ///   - durably: Whether to wait for the disk; without it a power cut may lose the file.
  /// - Returns: `false` when something has the name and may not be replaced; the new file is gone
  ///   then.
  @discardableResult
  package func place(
    as name: FilePath, replacing: Bool, durably: Bool = true
  ) throws(FileSystemError) -> Bool {
    if durably { try fileSystem.sync(file) }
    guard try folder.rename(self.name, to: name, replacing: replacing) else {
      discard()
      return false
    }
    isPlaced = true
    if durably { try folder.sync() }
    return true
  }

  /// Removes the file, unless it has got its name or somebody else's file has the hidden name.
  ///
  /// - Returns: Whether the file is gone or somebody else's.
  @discardableResult
  package func discard() -> Bool {
    if isPlaced { return true }
    do {
      let own = try fileSystem.status(of: file)
      guard let present = try folder.status(of: name), present.isSameFile(as: own) else {
        return true
      }
      try folder.remove(name)
      return true
    } catch {
      return false
    }
  }
}

extension FileSystem {
  /// Writes a file: it appears whole under its name, or not at all.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - replacing: Whether a file of that name may be replaced.
  ///   - mode: The file's permissions, less the umask.
  ///   - write: Puts the bytes into the sink.
  /// - Returns: What `write` returned; `nil` when the name is taken and may not be replaced. Then
  ///   `write` was not called, or what it wrote is gone.
  /// - Throws: ``FileSystemError``, and what `write` throws. Nothing is left behind.
  package func writeWhole<Report>(
    _ path: FilePath, replacing: Bool, mode: UInt32 = 0o644, durably: Bool = true,
    _ write: (FileSink) throws -> Report
  ) throws -> Report? {
    let folder = try self.folder(path.removingLastComponent())
    let name = path.lastComponent ?? "."
    if try !replacing && folder.contains(name) { return nil }
    let sink = try FileSink(in: folder, mode: mode)
    do {
      let report = try write(sink)
      let isPlaced = try sink.place(as: name, replacing: replacing, durably: durably)
      return isPlaced ? report : nil
    } catch {
      sink.discard()
      throw error
    }
  }

  /// Writes a file that holds `bytes`, in place of one that has the name: the file under the name is
  /// wholly old or wholly new.
  package func replace(
    _ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o644, durably: Bool = true
  ) throws(FileSystemError) {
    let folder = try self.folder(path.removingLastComponent())
    let sink = try FileSink(in: folder, mode: mode)
    do throws(FileSystemError) {
      try sink.write(bytes)
      try sink.place(as: path.lastComponent ?? ".", replacing: true, durably: durably)
    } catch {
      sink.discard()
      throw error
    }
  }

  /// Moves a file to a path that must be free, on the same disk or another; see
  /// ``Folder/move(_:into:as:)``. The names are on the disk when this returns.
  ///
  /// - Returns: `false` when something stands there; then nothing is done.
  package func move(_ source: FilePath, to target: FilePath) throws(FileSystemError) -> Bool {
    let from = try folder(source.removingLastComponent())
    let to = try folder(target.removingLastComponent())
    guard try from.move(source.lastComponent ?? ".", into: to, as: target.lastComponent ?? ".")
    else { return false }
    try to.sync()
    try from.sync()
    return true
  }

  /// Removes a new file that nobody writes any more.
  ///
  /// A writer holds a lock on its file, which other computers on the same network disk see too;
  /// its process number shows that it lives even before the lock is taken.
  /// - Parameters:
  ///   - path: The hidden file.
  ///   - process: The number of the process that made it.
  ///   - removing: Whether to remove it, and not only to look.
  /// - Returns: Whether it is left behind.
  package func isAbandonedExport(
    _ path: FilePath, by process: Int32, removing: Bool
  ) throws(FileSystemError) -> Bool {
    if kill(process, 0) == 0 || errno == EPERM { return false }
    return try isAbandoned(path, removing: removing)
  }

  /// Whether nobody holds the lock of a hidden file that goes with a process's lock.
  ///
  /// - Parameter removing: Whether to remove it then, and not only to look.
  package func isAbandoned(
    _ path: FilePath, removing: Bool
  ) throws(FileSystemError) -> Bool {
    guard try status(of: path)?.kind == .file else { return false }
    guard let holder = try lockExclusively(openReadOnly(path)) else { return false }
    defer { holder.unlock() }
    if removing { try unlink(path) }
    return true
  }
}
