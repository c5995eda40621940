import Glibc

/// The way to the disk: everything that touches a file goes through one of these.
///
/// `real` performs every operation. Tests give an interceptor, which may let any operation fail.
public struct FileSystem: Sendable {
  /// The file system as it is.
  package static let real = FileSystem()

  private let interceptor: (@Sendable (Operation) -> Fault?)?
  /// The open folder in which files are found by name rather than by path.
  private var anchor: Folder?

  /// A way to the disk on which `interceptor` is asked before every operation.
  ///
  /// - Parameter interceptor: Returns the fault to pretend, or `nil` to let the operation happen. It
  ///   may be called from several threads.
  package init(interceptor: (@Sendable (Operation) -> Fault?)? = nil) {
    self.interceptor = interceptor
  }

  /// The same way to the disk, on which the files of an open folder are found by their names in that
  /// folder, whatever has happened to the folder's path meanwhile.
  package func anchored(at folder: Folder) -> FileSystem {
    var anchored = self
    anchored.anchor = folder
    return anchored
  }

  /// Opens a folder, unless it is the one that files are found in anyway.
  package func folder(_ path: FilePath) throws(FileSystemError) -> Folder {
    if let anchor, anchor.path == path { return anchor }
    return try Folder(path, self)
  }

  /// Where the system finds a path.
  func place(_ path: FilePath) -> FilePlace {
    if let anchor, let name = path.lastComponent, path.removingLastComponent() == anchor.path {
      return FilePlace(name, in: anchor)
    }
    return FilePlace(path)
  }

  /// One thing done to a file, as an interceptor sees it before it happens.
  public struct Operation: Sendable, Hashable {
    /// What is done.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Following symbolic links to the file itself.
      case resolve
      /// Asking for size, times and kind.
      case status
      /// Opening for reading.
      case open
      /// Opening a folder, to find files in it by name.
      case openFolder
      /// Reading bytes.
      case read
      /// Listing a folder.
      case list
      /// Taking a lock.
      case lock
      /// Asking the kernel to report changes.
      case watch
      /// Creating a file that must not exist yet.
      case create
      /// Creating a folder.
      case createFolder
      /// Appending bytes.
      case write
      /// Cutting a file off.
      case truncate
      /// Setting a file's times or permissions.
      case setAttributes
      /// Flushing a file to the disk.
      case sync
      /// Flushing a folder's names to the disk.
      case syncFolder
      /// Giving a file another name, or a further one.
      case rename
      /// Removing a file or an empty folder.
      case unlink
    }

    /// What is done.
    public let kind: Kind
    /// The file or folder it is done to; for a rename, the new name.
    public let path: FilePath

    /// An operation of one kind on one file.
    public init(_ kind: Kind, _ path: FilePath) {
      self.kind = kind
      self.path = path
    }
  }

  /// How an interceptor lets an operation fail.
  package enum Fault: Sendable, Hashable {
    /// The operation does nothing and fails with an `errno` value.
    case failure(Int32)
    /// A write puts half of its bytes into the file and then fails; other operations do nothing.
    case partialWrite(Int32)
    /// The system takes half of the bytes of a write and reports that; other operations happen.
    case shortWrite
  }

  func fault(at operation: Operation) -> Fault? { interceptor?(operation) }

  func announce(_ operation: Operation) throws(FileSystemError) {
    while true {
      switch fault(at: operation) {
      case nil, .shortWrite: return
      // After a signal the call is made again, as in ``retrying(_:_:)``.
      case .failure(EINTR): continue
      case .failure(let errno), .partialWrite(let errno):
        throw FileSystemError(operation, errno: errno)
      }
    }
  }

  /// Repeats a call that a signal interrupted; throws what it leaves in `errno` when negative.
  func retrying<Number: SignedInteger>(
    _ operation: Operation, _ call: () -> Number
  ) throws(FileSystemError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      let reason = errno
      if reason != EINTR { throw FileSystemError(operation, errno: reason) }
    }
  }

  /// Announces an operation, and makes a call of the system for it.
  @discardableResult
  func perform<Number: SignedInteger>(
    _ operation: Operation, _ call: () -> Number
  ) throws(FileSystemError) -> Number {
    try announce(operation)
    return try retrying(operation, call)
  }
}

/// Where a call of the system finds a file: a name in an open folder, or a path.
package struct FilePlace: Sendable {
  /// The open folder that the name is in; `nil` for a path.
  let folder: Folder?
  let name: FilePath

  /// The place of a path; the current folder for the empty path.
  init(_ path: FilePath) {
    folder = nil
    name = path.isEmpty ? "." : path
  }

  init(_ name: FilePath, in folder: Folder) {
    self.folder = folder
    self.name = name
  }

  /// The path to show.
  var path: FilePath { folder?.path.appending(name) ?? name }

  /// Calls the system with the folder's descriptor and the name.
  func call<Result>(_ body: (Int32, UnsafePointer<CChar>) -> Result) -> Result {
    let descriptor = folder?.file.descriptor ?? AT_FDCWD
    return withExtendedLifetime(folder) { name.withCString { body(descriptor, $0) } }
  }
}

/// A descriptor that is closed with its last owner.
package final class OpenFile: Sendable {
  /// The descriptor; valid as long as this object lives, and not to be closed by others.
  package let descriptor: Int32
  /// The name it was opened under.
  package let path: FilePath

  package init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Releases the lock now, even if a child process inherited the descriptor.
  package func unlock() {
    flock(descriptor, LOCK_UN)
  }

  deinit {
    close(descriptor)
  }
}

/// An operation on a file that the system refused.
public struct FileSystemError: Error, Hashable, CustomStringConvertible {
  /// What was tried, and on which file.
  public let operation: FileSystem.Operation
  /// The system's reason, an `errno` value such as `ENOSPC`.
  public let errno: Int32

  /// The refusal of `operation` for the reason `errno`.
  public init(_ operation: FileSystem.Operation, errno: Int32) {
    self.operation = operation
    self.errno = errno
  }

  /// What happened, in one sentence.
  public var description: String {
    if errno == ENOENT, !makesFile { return "\(operation.path) does not exist." }
    return "\(subject) could not be \(participle): \(reason)."
  }

  /// The file in words for people, who do not know hidden files.
  private var subject: String {
    // A file that is in the way of a hidden one has to be found, so its name is shown.
    let isInTheWay = [EEXIST, EISDIR, ENOTDIR, ESPIPE, ELOOP].contains(errno)
    guard operation.path.lastComponent?.string.hasPrefix(".safelight-") == true, !isInTheWay else {
      return operation.path.description
    }
    let folder = operation.path.removingLastComponent()
    return "A new file in \(folder.isEmpty ? "this folder" : folder.description)"
  }

  private var reason: String {
    switch errno {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    case EACCES, EPERM: changesFolder ? "the folder may not be written" : "permission is missing"
    case EROFS: "the disk is read-only"
    case EIO: "the disk reported an error"
    case ENOENT where isFolderThere: "the system allows no new files there"
    case ENOENT: "the folder does not exist"
    case ENOTDIR where operation.kind == .openFolder: "it is not a folder"
    case ENOTDIR: "a part of its path is not a folder"
    case EISDIR: "it is a folder"
    case ESPIPE: "it is a pipe or a device"
    case EEXIST: "a file of that name exists already"
    case ELOOP: "it is a symbolic link that cannot be followed"
    case ENAMETOOLONG: "its name is too long"
    case EMFILE, ENFILE: "too many files are open"
    case EFBIG: "it is larger than allowed"
    default: String(cString: strerror(errno))
    }
  }

  /// Whether the folder of the file is there, as `/proc` is.
  private var isFolderThere: Bool {
    let folder = operation.path.removingLastComponent()
    return (folder.isEmpty ? "." : folder).withCString { access($0, F_OK) } == 0
  }

  private var makesFile: Bool { operation.kind == .create || operation.kind == .createFolder }

  private var changesFolder: Bool {
    switch operation.kind {
    case .create, .createFolder, .rename, .unlink: true
    default: false
    }
  }

  private var participle: String {
    switch operation.kind {
    case .resolve: "found"
    case .status: "examined"
    case .open, .openFolder: "opened"
    case .read: "read"
    case .list: "listed"
    case .lock: "locked"
    case .create, .createFolder: "created"
    case .write: "written"
    case .truncate: "cut off"
    case .setAttributes: "given its times"
    case .watch: "watched"
    case .sync, .syncFolder: "flushed to the disk"
    case .rename: "put into place"
    case .unlink: "removed"
    }
  }
}

extension FileSystemError {
  /// The stable names of what can be refused.
  package enum Code: String, CaseIterable {
    /// There is no room on the disk, or in the user's quota.
    case diskFull = "disk-full"
    /// The system refused an operation for another reason.
    case fileSystem = "file-system"
  }

  /// A stable word for programs: `disk-full` or `file-system`.
  public var code: String { (isDiskFull ? Code.diskFull : .fileSystem).rawValue }

  /// Whether there was no room on the disk, or in the user's quota.
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }
}
