import Glibc

/// The way to the disk: every step of a read, a commit or a recovery goes through one of these.
///
/// ``real`` does as it is told. Tests give an interceptor, which may let any step fail.
public struct FileSystem: Sendable {
  /// The file system as it is.
  public static let real = FileSystem()

  private let interceptor: (@Sendable (Step) -> Fault?)?

  /// A way to the disk on which `interceptor` is asked before every step.
  ///
  /// - Parameter interceptor: Returns the fault to pretend, or `nil` to let the step happen. It
  ///   may be called from several threads.
  public init(interceptor: (@Sendable (Step) -> Fault?)? = nil) {
    self.interceptor = interceptor
  }

  func fault(at step: Step) -> Fault? { interceptor?(step) }

  func announce(_ step: Step) throws(FileSystemError) {
    if let fault = fault(at: step) { throw FileSystemError(step, errno: fault.errno) }
  }

  /// Repeats a call that a signal interrupted; throws what it leaves in `errno` when negative.
  func retrying<Number: SignedInteger>(
    _ step: Step, _ call: () -> Number
  ) throws(FileSystemError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let reason = errno
      if reason != EINTR { throw FileSystemError(step, errno: reason) }
    }
  }

  /// The absolute path of the file that `path` leads to, all symbolic links followed.
  func resolve(_ path: FilePath) throws(FileSystemError) -> FilePath {
    let step = Step(.resolve, path)
    try announce(step)
    guard let resolved = path.withCString({ realpath($0, nil) }) else {
      throw FileSystemError(step, errno: errno)
    }
    defer { free(resolved) }
    return FilePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// What stands under a name, without following a link there; `nil` when there is nothing.
  func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
    let step = Step(.status, path)
    try announce(step)
    var status = stat()
    do {
      _ = try retrying(step) { path.withCString { lstat($0, &status) } }
    } catch {
      // A name too long to exist is a name that nothing has.
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(error.errno) { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// What an open file is now.
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    let step = Step(.status, file.path)
    try announce(step)
    var status = stat()
    _ = try retrying(step) { fstat(file.descriptor, &status) }
    return FileStatus(status)
  }

  /// The names in a folder, in no particular order, without `.` and `..`.
  func names(in folder: FilePath) throws(FileSystemError) -> [FilePath] {
    let step = Step(.list, folder)
    try announce(step)
    let path: FilePath = folder.isEmpty ? "." : folder
    guard let stream = path.withCString({ opendir($0) }) else {
      throw FileSystemError(step, errno: errno)
    }
    defer { closedir(stream) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileSystemError(step, errno: errno) }
        return names
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath(bytes: $0) }
      if name != "." && name != ".." { names.append(name) }
    }
  }
}
