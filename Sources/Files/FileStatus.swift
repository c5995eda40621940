import Glibc

/// What the file system says about a file without reading it.
package struct FileStatus: Sendable, Hashable {
  /// What stands under a name.
  package enum Kind: Sendable, Hashable {
    /// An ordinary file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, when it was not followed.
    case symbolicLink
    /// A device, pipe or socket.
    case other
  }

  /// A point in time with the file system's resolution.
  package struct Time: Sendable, Hashable {
    /// Whole seconds since 1970 UTC.
    package let seconds: Int
    /// The rest, 0 to 999,999,999.
    package let nanoseconds: Int

    /// Seconds since 1970 UTC.
    package var inSeconds: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

    /// Nanoseconds since 1970 UTC; 0 outside of the years 1677 to 2262, which occur on damaged
    /// disks only.
    package var inNanoseconds: Int64 {
      let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
      return overflow ? 0 : product &+ Int64(nanoseconds)
    }
  }

  /// What it is.
  package let kind: Kind
  /// Length in bytes.
  package let size: Int64
  /// Permission bits, such as `0o644`.
  package let mode: UInt32
  /// When the content last changed.
  package let modified: Time
  /// When content, name or permissions last changed.
  package let changed: Time
  /// When it was last read.
  package let accessed: Time
  /// The number of the user that the file belongs to.
  package let owner: UInt32
  /// The number of the group that the file belongs to.
  package let group: UInt32
  package let device: UInt64
  package let inode: UInt64
  /// How many names the file has.
  package let linkCount: Int

  package init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .other
      }
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode & 0o7777)
    modified = Time(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    changed = Time(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
    accessed = Time(seconds: status.st_atim.tv_sec, nanoseconds: status.st_atim.tv_nsec)
    owner = status.st_uid
    group = status.st_gid
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = Int(status.st_nlink)
  }

  /// Whether only a file's owner may rename or remove it in this folder.
  package var isSticky: Bool { mode & 0o1000 != 0 }

  /// Whether files made in this folder get its group.
  package var givesItsGroup: Bool { mode & 0o2000 != 0 }

  /// The permissions of a file made beside this one, which are no wider than this one's: its owner
  /// may read and write it, and nobody may run it.
  package var modeOfCompanion: UInt32 { mode & 0o066 | 0o600 }

  /// What tells a file from all others, under any name.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  package var identity: Identity { Identity(device: device, inode: inode) }

  /// Whether both are about the same file, under any name.
  package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

  /// Whether the content can be assumed to be what it was when `earlier` was taken.
  ///
  /// - Parameter renamed: Whether the file has got another name since, which counts as a change.
  package func hasSameContent(as earlier: FileStatus, renamed: Bool = false) -> Bool {
    isSameFile(as: earlier) && size == earlier.size && modified == earlier.modified
      && (renamed || changed == earlier.changed)
  }
}

/// A state of a file. A file with the same length, modification time and inode has not changed since.
package struct FileRevision: Sendable, Hashable {
  private let size: Int64
  /// In nanoseconds since 1970 UTC.
  private let modified: Int64
  private let inode: UInt64

  /// A state that was noted before.
  ///
  /// - Parameter modified: In nanoseconds since 1970 UTC.
  package init(size: Int64, modified: Int64, inode: UInt64) {
    (self.size, self.modified, self.inode) = (size, modified, inode)
  }

  /// The state that a status tells of.
  package init(_ status: FileStatus) {
    self.init(size: status.size, modified: status.modified.inNanoseconds, inode: status.inode)
  }

  /// The present state of a file; `nil` when nothing has the name, or it cannot be looked at.
  package init?(of path: FilePath, _ fileSystem: FileSystem = .real) {
    guard let status = (try? fileSystem.status(of: path)) ?? nil else { return nil }
    self.init(status)
  }

  /// Whether it is a state of the same file, changed or not.
  package func isOf(_ status: FileStatus) -> Bool { status.inode == inode }
}
