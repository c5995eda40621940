import Glibc
import SafelightFiles
import Synchronization

/// The contents of the files beside an original. A file is hashed again only when it changes.
final class FileContents: Sendable {
  /// What a path leads to.
  enum Content: Equatable {
    case missing
    case file(Digest)
    /// A folder, a link or something else that Safelight never makes. The original itself counts as
    /// this under any name, so that no record makes Safelight replace or remove it.
    case somethingElse
  }

  let fileSystem: FileSystem
  private let original: OriginalFile
  /// The number of the user who asks.
  private let caller: UInt32
  private let known = Mutex<[FilePath: (status: FileStatus, digest: Digest)]>([:])
  /// See ``filesOfTwins(of:)``.
  private let filesOfTwins = Mutex<[FilePath: Set<FilePath>]>([:])

  init(around original: OriginalFile, _ fileSystem: FileSystem, caller: UInt32 = geteuid()) {
    self.original = original
    self.fileSystem = fileSystem
    self.caller = caller
  }

  /// What a file holds.
  ///
  /// - Parameter former: The name that the file had a moment ago, when it was renamed.
  func content(
    of path: FilePath, knownAs former: FilePath? = nil
  ) throws(StorageError) -> Content {
    try onDisk { () throws(FileSystemError) in
      guard let status = try fileSystem.status(of: path) else { return .missing }
      guard status.kind == .file, !status.isSameFile(as: original.status) else {
        return .somethingElse
      }
      if let known = known.withLock({ $0[former ?? path] }),
        status.hasSameContent(as: known.status, renamed: former != nil)
      {
        return .file(known.digest)
      }
      let file = try fileSystem.openReadOnly(path)
      let opened = try fileSystem.status(of: file)
      let digest = try fileSystem.digest(of: file)
      known.withLock { $0[path] = (opened, digest) }
      return .file(digest)
    }
  }

  /// A staged file of this kind and digest; `nil` when there is none.
  ///
  /// - Parameter staged: The files to look among. Those of strangers do not count.
  func path(
    of kind: HiddenFile.StagedKind, holding digest: Digest, among staged: [FilePath]
  ) throws(StorageError) -> FilePath? {
    for path in staged where path.stagedKind == kind {
      if try isOwn(path), try content(of: path) == .file(digest) { return path }
    }
    return nil
  }

  /// Whether a staged file is there and no stranger's.
  func isOwn(_ staged: FilePath) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in
      try fileSystem.status(of: staged).map(mayDecide) ?? false
    }
  }

  /// The names of files of other photos that files of this photo might get, as ``PhotoNames/filesOfTwins(_:)`` finds
  /// them. The folder is listed once for each photo.
  func filesOfTwins(of names: PhotoNames) throws(StorageError) -> Set<FilePath> {
    if let known = filesOfTwins.withLock({ $0[names.record] }) { return known }
    let found = try names.filesOfTwins(fileSystem)
    filesOfTwins.withLock { $0[names.record] = found }
    return found
  }

  /// The SHA-256 of the original.
  func digestOfOriginal() throws(StorageError) -> Digest { try original.digest() }

  func exists(_ path: FilePath) throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in try fileSystem.status(of: path) != nil }
  }

  /// Notes the content of a file that was just written, so that it need not be read again.
  func note(_ digest: Digest, of path: FilePath, _ status: FileStatus) {
    known.withLock { $0[path] = (status, digest) }
  }

  /// Whether a pending record of this status may change the photo: the caller, the original's owner
  /// and the superuser decide, and nobody else who may write in the folder.
  func mayDecide(_ pending: FileStatus) -> Bool {
    [caller, original.status.owner, 0].contains(pending.owner)
  }

  /// Whether the caller may give up a change that a stranger decided.
  var mayGiveUp: Bool { [original.status.owner, 0].contains(caller) }

  /// Throws when the edit of another user's photo would stand in that user's way: in a sticky folder
  /// the photo's owner could not replace or remove what this caller makes.
  func requireOwnersConsent() throws(StorageError) {
    guard caller != 0, original.status.owner != caller else { return }
    let sticky = try onDisk { () throws(FileSystemError) in
      try fileSystem.status(of: fileSystem.folder(original.path.removingLastComponent()).file)
    }
    if sticky.isSticky, sticky.owner != caller { throw .fileOfAnotherUser(original.path) }
  }

  /// Throws when a file is another user's, in a folder where only a file's owner may replace it.
  ///
  /// The system lets the superuser and the folder's owner replace it nevertheless. Here they may only
  /// do so for the original's owner.
  func requireReplaceable(_ path: FilePath) throws(StorageError) {
    let mayReplace = try onDisk { () throws(FileSystemError) in
      guard let status = try fileSystem.status(of: path), status.owner != caller else {
        return true
      }
      let folder = try fileSystem.folder(path.removingLastComponent())
      let sticky = try fileSystem.status(of: folder.file)
      guard sticky.isSticky else { return true }
      return status.owner == original.status.owner && (caller == 0 || sticky.owner == caller)
    }
    if !mayReplace { throw .fileOfAnotherUser(path) }
  }
}
