import Glibc

/// A step on a file that the system refused.
public struct FileSystemError: Error, Hashable, CustomStringConvertible {
  /// What was tried, and on which file.
  public let step: FileSystem.Step
  /// The system's reason, an `errno` value such as `ENOSPC`.
  public let errno: Int32

  /// The refusal of `step` for the reason `errno`.
  public init(_ step: FileSystem.Step, errno: Int32) {
    self.step = step
    self.errno = errno
  }

  /// What happened, in one sentence.
  public var description: String {
    if errno == ENOENT, !makesFile { return "\(step.path) does not exist." }
    return "\(subject) could not be \(participle): \(reason)."
  }

  /// What can be done about it; `nil` when nothing general helps.
  public var hint: String? {
    switch errno {
    case ENOSPC: "Free some space on that disk and try again."
    case EDQUOT: "Free some of the quota and try again."
    case EACCES, EPERM:
      changesFolder
        ? "Change the folder's permissions, or work as a user who may write there."
        : "Change its permissions, or work as a user who may do this."
    case EROFS: "Make the disk writable, or copy the photo to a folder that is."
    case EIO: "Check the disk and its cable; the photo may need restoring from a backup."
    case ENOENT: makesFile ? "Make the folder first, or check its name." : "Check the name."
    case ENOTDIR: "Check the folders in its path."
    case EISDIR: "Name a file, or move the folder away."
    case EEXIST: "Choose another name."
    case ENAMETOOLONG: "Choose a shorter name."
    case EMFILE, ENFILE: "Close some files, or raise the limit on open files."
    case ELOOP: "Replace the symbolic link by the file that it names."
    default: nil
    }
  }

  /// The file as people know it: nobody knows the hidden ones that a change is made of.
  private var subject: String {
    guard step.path.lastComponent?.string.hasPrefix(".safelight-") == true else {
      return step.path.string
    }
    let folder = step.path.removingLastComponent().string
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

  private var makesFile: Bool { step.kind == .create || step.kind == .createFolder }

  private var changesFolder: Bool {
    switch step.kind {
    case .create, .createFolder, .rename, .unlink: true
    default: false
    }
  }

  private var participle: String {
    switch step.kind {
    case .resolve: "found"
    case .status: "examined"
    case .open: "opened"
    case .read: "read"
    case .list: "listed"
    case .lock: "locked"
    case .create, .createFolder: "created"
    case .write: "written"
    case .sync, .syncFolder: "flushed to the disk"
    case .rename: "put into place"
    case .unlink: "removed"
    }
  }
}

extension FileSystemError {
  /// Whether there was no room on the disk, or in the user's quota.
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }
}
