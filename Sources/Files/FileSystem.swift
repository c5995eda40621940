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

    var errno: Int32 {
      switch self {
      case .failure(let errno), .partialWrite(let errno): errno
      }
    }
  }

  func fault(at operation: Operation) -> Fault? { interceptor?(operation) }

  func announce(_ operation: Operation) throws(FileSystemError) {
    if let fault = fault(at: operation) { throw FileSystemError(operation, errno: fault.errno) }
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
