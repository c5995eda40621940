import Glibc
import PhotoEditing

/// The files of an image cache, to be counted and removed.
struct CacheFolder {
  /// What the names of files begin with that are being written.
  static let temporaryMark = ".writing-"

  private struct File {
    let path: FilePath
    let size: Int
    let lastUse: Double
  }

  private let folder: FilePath
  private let now: Double

  /// - Parameter now: Seconds since 1970 UTC.
  init(_ folder: FilePath, now: Double) {
    (self.folder, self.now) = (folder, now)
  }

  /// Makes the folder, with the file that tells backups to pass it over.
  ///
  /// Source: Cache Directory Tagging Specification 0.6, bford.info/cachedir.
  func make() {
    guard FileTrace.withCString(folder, { mkdir($0, 0o700) }) == 0 else { return }
    let tag = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
    let file = FileTrace.withCString(folder.appending("CACHEDIR.TAG")) {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { return }
    // Without the tag the cache is one nevertheless.
    _ = write(file, tag, tag.count)
    close(file)
  }

  /// Removes files, those not used for the longest time first, when there are more bytes than a limit.
  ///
  /// - Parameter room: How many bytes are free below the limit afterwards.
  func shrink(to limit: Int, leaving room: Int) {
    var files = self.files
    var total = files.reduce(0) { $0 + $1.size }
    guard total > limit || limit == 0 else { return }
    files.sort { $0.lastUse < $1.lastUse }
    for file in files {
      guard total > limit - room || limit == 0 else { return }
      // Another process may have removed it: gone is gone.
      _ = FileTrace.withCString(file.path) { unlink($0) }
      total -= file.size
    }
  }

  /// All files, but those that somebody is writing; what a dead program was writing is removed.
  private var files: [File] {
    var files: [File] = []
    for inner in names(in: folder) {
      let inner = folder.appending(inner)
      for name in names(in: inner) {
        let path = inner.appending(name)
        guard let trace = FileTrace(path), trace.kind == .file else { continue }
        if name.bytes.starts(with: Self.temporaryMark.utf8) {
          // Nobody takes an hour for a thumbnail.
          if now - trace.modifiedSeconds > 3600 {
            _ = FileTrace.withCString(path) { unlink($0) }
          }
          continue
        }
        files.append(File(path: path, size: Int(trace.size), lastUse: trace.modifiedSeconds))
      }
    }
    return files
  }

  private func names(in folder: FilePath) -> [FilePath] {
    guard let stream = FileTrace.withCString(folder, { opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [FilePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { FilePath(bytes: $0) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
