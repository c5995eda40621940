import Glibc
import SafelightFiles

/// What tells without reading it whether a file is the one that was looked at.
package struct FileTrace: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case file, folder, other }

  package let kind: Kind
  /// Length in bytes.
  package let size: Int64
  /// When its content last changed, in nanoseconds since 1970 UTC.
  package let modified: Int64
  /// When its content, name or permissions last changed, likewise.
  package let changed: Int64
  package let inode: Int64

  /// What stands under a path, no link followed; `nil` when nothing does or it cannot be reached.
  package init?(_ path: FilePath) {
    var status = stat()
    guard Self.withCString(path, { lstat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// What an open file is.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    size = Int64(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    inode = Int64(truncatingIfNeeded: status.st_ino)
  }

  /// Seconds since 1970 UTC of the content's last change.
  package var modifiedSeconds: Double { Double(modified) / 1e9 }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    // Times outside of the years 1677 to 2262 occur on damaged disks only.
    let (product, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : product &+ Int64(time.tv_nsec)
  }

  package static func withCString<Result>(
    _ path: FilePath, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let bytes = (path.isEmpty ? [UInt8(ascii: ".")] : path.bytes).map { CChar(bitPattern: $0) }
    return (bytes + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}

extension FilePath {
  /// The absolute path that this one leads to, links followed; `nil` when there is none.
  package var resolved: FilePath? {
    guard let path = FileTrace.withCString(self, { realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(bytes: UnsafeRawBufferPointer(start: path, count: strlen(path)))
  }

  /// Whether it is a folder itself.
  package var isFolder: Bool { FileTrace(self)?.kind == .folder }
}
