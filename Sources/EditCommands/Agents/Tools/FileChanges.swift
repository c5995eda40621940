import PhotoEditing
import SafelightFiles

/// Which files a call wrote, replaced and removed.
struct FileChanges: Sendable, Equatable {
  private(set) var written: [FilePath] = []
  private(set) var replaced: [FilePath] = []
  private(set) var removed: [FilePath] = []

  var isEmpty: Bool { written.isEmpty && replaced.isEmpty && removed.isEmpty }

  /// What `files` says in a result.
  var json: JSONValue {
    .object(["written": written, "replaced": replaced, "removed": removed])
  }

  /// One sentence.
  var text: String {
    if isEmpty { return "Nothing changed on disk." }
    let parts = [("written", written), ("replaced", replaced), ("removed", removed)]
      .filter { !$0.1.isEmpty }
      .map { word, paths in
        paths.count <= 4
          ? "\(word) \(paths.map { FileWords.quoted($0) }.joined(separator: ", "))"
          : "\(counted(paths.count, "file")) \(word)"
      }
    return "On disk: \(parts.joined(separator: "; "))."
  }

  mutating func add(_ other: FileChanges) {
    written += other.written
    replaced += other.replaced
    removed += other.removed
  }

  /// Does work on a photo, and compares the files of the photo before and after.
  ///
  /// - Parameter others: Files that the work may write besides those of the photo's edit.
  static func made<Result: Sendable>(
    to photo: FilePath, others: [FilePath] = [], by work: () async throws -> Result
  ) async throws -> (result: Result, changes: FileChanges) {
    let before = Self.files(of: photo) + others
    let marks = before.map(Mark.init)
    let result = try await work()
    var changes = FileChanges()
    for (path, mark) in zip(before, marks) { changes.note(path, from: mark, to: Mark(path)) }
    for path in Self.files(of: photo) where !before.contains(path) {
      changes.note(path, from: nil, to: Mark(path))
    }
    return (result, changes)
  }

  private mutating func note(_ path: FilePath, from old: Mark?, to new: Mark?) {
    switch (old, new) {
    case (nil, _?): written.append(path)
    case (_?, nil): removed.append(path)
    case (let old?, let new?) where old != new: replaced.append(path)
    default: break
    }
  }

  /// The files of a photo's edit that its sidecar names, and the sidecar.
  private static func files(of photo: FilePath) -> [FilePath] {
    // The format only says what the original's type is called.
    let known = try? AssetResource.all(of: photo, .jpeg, asset: "")
    let sidecar = photo.suffixed(".aae")
    let paths = (known ?? []).filter { $0.type != .photo }.map(\.path)
    return paths.contains(sidecar) ? paths : paths + [sidecar]
  }

  /// Tells whether a file is another one than before.
  private struct Mark: Equatable {
    let inode: UInt64
    let size: Int64
    let modified: FileStatus.Time

    /// `nil` when nothing has the name.
    init?(_ path: FilePath) {
      guard let status = (try? FileSystem.real.status(of: path)) ?? nil else { return nil }
      (inode, size, modified) = (status.inode, status.size, status.modified)
    }
  }
}
