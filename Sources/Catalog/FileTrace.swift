import Glibc
import SafelightFiles

/// What tells, without reading a file, whether it is the one that a scan read.
package struct FileTrace: Sendable, Hashable {
  package enum Kind: Sendable, Hashable { case file, folder, other }

  package let kind: Kind
  /// Length in bytes.
  package let size: Int64
  /// When the content last changed, in nanoseconds since 1970 UTC.
  package let modified: Int64
  /// When content, name or permissions last changed, likewise.
  package let changed: Int64
  package let inode: Int64

  /// What has a path, without following a link; `nil` when nothing has, or it cannot be reached.
  package init?(_ path: FilePath) {
    guard let status = try? FileSystem.real.status(of: path) else { return nil }
    self.init(status)
  }

  /// What an open file is.
  package init?(_ file: OpenFile) {
    guard let status = try? FileSystem.real.status(of: file) else { return nil }
    self.init(status)
  }

  /// What an open file is, by its descriptor.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(FileStatus(status))
  }

  package static func withCString<Result>(
    _ path: FilePath, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    (path.isEmpty ? "." : path).withCString(body)
  }

  private init(_ status: FileStatus) {
    kind =
      switch status.kind {
      case .file: .file
      case .folder: .folder
      case .symbolicLink, .other: .other
      }
    size = status.size
    modified = Self.nanoseconds(status.modified)
    changed = Self.nanoseconds(status.changed)
    inode = Int64(truncatingIfNeeded: status.inode)
  }

  /// Seconds since 1970 UTC of the content's last change.
  package var modifiedSeconds: Double { Double(modified) / 1e9 }

  private static func nanoseconds(_ time: FileStatus.Time) -> Int64 {
    // Times outside of the years 1677 to 2262 occur on damaged disks only.
    let (product, overflow) = Int64(time.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? 0 : product &+ Int64(time.nanoseconds)
  }
}

extension FilePath {
  /// The absolute path to which this one leads, links followed; `nil` when there is none.
  package var resolved: FilePath? { try? FileSystem.real.resolve(self) }

  /// Whether it is a folder itself.
  package var isFolder: Bool { FileTrace(self)?.kind == .folder }
}
