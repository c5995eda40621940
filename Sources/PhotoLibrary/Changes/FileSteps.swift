import FoundationEssentials
import Glibc
import PhotoEditing

/// The few steps on files that creating and emptying the trash take.
enum FileSteps {
  /// The system's reason why a step was refused, an `errno` value.
  struct Refusal: Error {
    let errno: Int32
    var detail: String { String(cString: strerror(errno)) }
  }

  /// Copies a file with its modification time, to the disk.
  static func copy(_ source: FilePath, to target: FilePath) throws(Refusal) {
    let input = open(source.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { throw Refusal(errno: errno) }
    defer { close(input) }
    var facts = stat()
    guard fstat(input, &facts) == 0 else { throw Refusal(errno: errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw Refusal(errno: EISDIR) }
    let output = try create(target)
    defer { close(output) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(input, buffer.baseAddress, buffer.count)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw Refusal(errno: errno)
      }
      try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: output)
    }
    var times = [facts.st_atim, facts.st_mtim]
    _ = futimens(output, &times)
    guard fsync(output) == 0 else { throw Refusal(errno: errno) }
  }

  /// Writes a new file, to the disk.
  static func write(_ data: Data, to target: FilePath) throws(Refusal) {
    let output = try create(target)
    defer { close(output) }
    try Array(data).withUnsafeBufferPointer { (bytes) throws(Refusal) in
      try write(UnsafeRawBufferPointer(bytes), to: output)
    }
    guard fsync(output) == 0 else { throw Refusal(errno: errno) }
  }

  /// Gives a file a further name, which must be free.
  static func link(_ source: FilePath, to target: FilePath) throws(Refusal) {
    guard Glibc.link(source.cString, target.cString) == 0 else { throw Refusal(errno: errno) }
  }

  /// Gives a file another name on the same disk.
  static func rename(_ source: FilePath, to target: FilePath) throws(Refusal) {
    guard Glibc.rename(source.cString, target.cString) == 0 else { throw Refusal(errno: errno) }
  }

  /// Takes a name away; that there is none is fine.
  static func unlink(_ path: FilePath) throws(Refusal) {
    guard Glibc.unlink(path.cString) == 0 || errno == ENOENT else { throw Refusal(errno: errno) }
  }

  /// Makes a folder with all that are missing above it, and puts their names on the disk.
  static func createFolders(_ folder: FilePath) throws(Refusal) {
    if folder.isEmpty || folder.leadsSomewhere { return }
    let parent = folder.removingLastComponent()
    try createFolders(parent)
    guard mkdir(folder.cString, 0o755) == 0 || errno == EEXIST else {
      throw Refusal(errno: errno)
    }
    try sync(parent)
  }

  /// Waits until a file's bytes or a folder's names are on the disk.
  static func sync(_ path: FilePath) throws(Refusal) {
    let descriptor = open((path.isEmpty ? "." : path).cString, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal(errno: errno) }
    defer { close(descriptor) }
    // Some network file systems do not know this call for folders.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw Refusal(errno: errno)
    }
  }

  /// The absolute path of what a path leads to, all links followed; the path itself when it leads
  /// nowhere.
  static func resolved(_ path: FilePath) -> FilePath {
    guard let resolved = realpath(path.cString, nil) else { return path }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func create(_ path: FilePath) throws(Refusal) -> Int32 {
    let descriptor = open(path.cString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Refusal(errno: errno) }
    return descriptor
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32
  ) throws(Refusal) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Refusal(errno: errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
