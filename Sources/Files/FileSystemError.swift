import Glibc

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
    let isInTheWay = [EEXIST, EISDIR, ELOOP].contains(errno)
    guard operation.path.lastComponent?.string.hasPrefix(".safelight-") == true, !isInTheWay else {
      return operation.path.string
    }
    let folder = operation.path.removingLastComponent().string
    return "A new file in " + (folder.isEmpty ? "this folder" : folder)
  }

  private var reason: String {
    switch errno {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    case EACCES, EPERM: changesFolder ? "the folder may not be written" : "permission is missing"
    case EROFS: "the disk is read-only"
    case EIO: "the disk reported an error"
    case ENOENT: "the folder does not exist"
    case ENOTDIR: "a part of its path is not a folder"
    case EISDIR: "it is a folder"
    case EEXIST: "a file of that name exists already"
    case ELOOP: "it is a symbolic link that cannot be followed"
    case ENAMETOOLONG: "its name is too long"
    case EMFILE, ENFILE: "too many files are open"
    case EFBIG: "it is larger than allowed"
    default: String(cString: strerror(errno))
    }
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
