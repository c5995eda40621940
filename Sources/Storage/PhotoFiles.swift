import Glibc
import SafelightFiles

/// The files of one photo: the original, and beside it the sidecar, the render and the base.
///
/// Any number of processes may read and change the same photo. They exclude each other by `flock`
/// on the original and by the ``Claim`` on its name; see ``Transaction`` for how a change is made.
///
/// When the path is a symbolic link, the file that it leads to is the original. The edit is beside that file under its
/// name, or beside the link; see ``SafelightFiles/FileSystem/photoPath(_:)``.
package struct PhotoFiles: Sendable {
  /// The original, as given.
  package let original: FilePath

  let fileSystem: FileSystem

  /// The files around an original, which need not be edited yet. Nothing is read.
  ///
  /// - Parameters:
  ///   - original: The photo, or a symbolic link to it.
  ///   - fileSystem: The way to the disk.
  package init(_ original: FilePath, fileSystem: FileSystem = .real) {
    self.original = original
    self.fileSystem = fileSystem
  }

  /// What the files say now. Writes nothing, so the folder may be read-only.
  ///
  /// - Parameter timeout: How long to wait for a change that is under way. Blocks the thread.
  /// - Throws: ``StorageError``.
  package func read(timeout: Duration) throws(StorageError) -> PhotoSnapshot {
    let original = try OriginalFile.open(
      original, exclusively: false, timeout: timeout, fileSystem)
    defer { original.unlock() }
    return try PhotoSnapshot.load(original)
  }

  /// What `body` makes of the files while nobody can change them.
  ///
  /// Use this to open the render or the base, because their names may change once `body` has
  /// returned.
  /// - Parameters:
  ///   - timeout: How long to wait for a change that is under way. Blocks the thread.
  ///   - body: Called once, under a lock that readers share.
  /// - Throws: ``StorageError``, and what `body` throws.
  package func reading<Result>(
    timeout: Duration, _ body: (PhotoSnapshot) throws -> Result
  ) throws -> Result {
    let original = try OriginalFile.open(
      original, exclusively: false, timeout: timeout, fileSystem)
    defer { original.unlock() }
    return try body(PhotoSnapshot.load(original))
  }

  /// Begins a change: excludes everybody else, and first finishes what a crash left unfinished, also when
  /// the photo was renamed with its sidecar since.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for others. Blocks the thread.
  ///   - holding: Whether the change waits for ``Transaction/makeHeldChange()``.
  ///   - tidying: Whether a decided change is finished even when one of its files is lost, a
  ///     stranger's is given up, and staged files are looked for even when no process seems to have
  ///     died.
  ///   - former: Where the photo was before it was moved. Nobody can lock a photo that is gone, so
  ///     what a crash left there is finished under this photo's lock.
  /// - Throws: ``StorageError``.
  package func begin(
    timeout: Duration, holding: Bool = false, tidying: Bool = false,
    former: FilePath? = nil
  ) throws(StorageError) -> Transaction {
    if let place = try? fileSystem.photoPath(original),
      let renamed = try PhotoNames(place).renamedPhoto(fileSystem)
    {
      // The photo that had this one's name when a program died: its hidden files have the names of this one's.
      try PhotoFiles(renamed, fileSystem: fileSystem).beginAlone(timeout: timeout).end()
    }
    return try beginAlone(timeout: timeout, holding: holding, tidying: tidying, former: former)
  }

  private func beginAlone(
    timeout: Duration, holding: Bool = false, tidying: Bool = false, former: FilePath? = nil
  ) throws(StorageError) -> Transaction {
    let original = try OriginalFile.open(
      original, exclusively: true, timeout: timeout, fileSystem)
    do {
      let contents = FileContents(around: original, original.fileSystem)
      let own = PhotoNames(original.path)
      let leavesStrays = try !recover(
        own, contents, isTidying: tidying, isCrashKnown: original.isClaimLeftOver)
      var places = [own]
      if let former {
        let names = try PhotoNames(resolving: former, fileSystem)
        if try !contents.exists(names.path(of: names.original)) {
          _ = try recover(names, contents, isTidying: tidying, isMoved: true)
          places.append(names)
        }
      }
      for place in places {
        if let sidecar = try LoadedRecord.load(place.record, contents.fileSystem),
          let renamed = try place.beforeRenaming(sidecar, contents.fileSystem)
        {
          _ = try recover(renamed, contents, isTidying: tidying, isMoved: true)
        }
      }
      let transaction = Transaction(
        try PhotoSnapshot.load(original, exactly: true), isHolding: holding)
      if leavesStrays { transaction.leaveStagedFiles() }
      return transaction
    } catch {
      original.unlock(leavingStagedFiles: original.isClaimLeftOver)
      throw error
    }
  }

  /// Finishes and removes what a crash left under one set of hidden names.
  ///
  /// - Parameters:
  ///   - isMoved: Whether the photo had another name or folder then.
  ///   - isCrashKnown: Whether a process died while it had the photo's claim.
  /// - Returns: Whether all is gone. Files of another user may have to stay.
  private func recover(
    _ names: PhotoNames, _ contents: FileContents, isTidying: Bool, isMoved: Bool = false,
    isCrashKnown: Bool = false
  ) throws(StorageError) -> Bool {
    if isMoved { try checkNobodyWorks(at: names) }
    let recovery = Recovery(names, contents, isTidying: isTidying, isMoved: isMoved)
    let wasPending = try recovery.finishPendingChange()
    let renderClaims = try names.renderClaims(contents.fileSystem)
    guard wasPending || isCrashKnown || !renderClaims.isEmpty || isTidying || isMoved else {
      return true
    }
    return try recovery.removeStrays(withClaim: isMoved)
  }

  /// Throws when a process still changes the photo under its former name.
  private func checkNobodyWorks(at names: PhotoNames) throws(StorageError) {
    let state = try onDisk { () throws(FileSystemError) in try Claim.state(names, fileSystem) }
    if state == .held {
      throw .busy(names.path(of: names.original), waited: .zero, process: nil)
    }
  }
}

/// Finds out, without reading or locking files, whether a photo and its edit have changed.
///
/// The kernel sets a new time of change whenever the content of a file changes. With length,
/// modification time and inode, that time is as safe as a hash of the bytes and a thousand times as
/// fast. A sidecar is never rewritten but replaced, so its stamp stands for the edit. Times are
/// exact to some milliseconds, on some disks to two seconds: a file that changed just now may
/// change again and keep its stamp.
package struct PhotoRevision: Sendable, Hashable {
  /// The photo's absolute path.
  package let path: FilePath
  private let original: File
  private let record: File?
  private let pending: File?

  /// Looks at a photo's files.
  ///
  /// - Throws: ``StorageError/originalMissing(_:)``, ``StorageError/originalUnreadable(_:)``.
  package init(_ path: FilePath, fileSystem: FileSystem = .real) throws(StorageError) {
    do throws(FileSystemError) {
      let place = try fileSystem.photoPath(path)
      let names = PhotoNames(place)
      guard let original = try fileSystem.statusFollowingLinks(of: place) else {
        throw FileSystemError(.init(.status, path), errno: ENOENT)
      }
      self.path = place
      self.original = File(original)
      // A commit first makes the pending record and later renames it to the sidecar.
      pending = try fileSystem.status(of: names.pending).map(File.init)
      record = try fileSystem.status(of: names.record).map(File.init)
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      default: throw .originalUnreadable(error)
      }
    }
  }

  /// Whether there is a sidecar or a pending record.
  package var mayBeEdited: Bool { record != nil || pending != nil }

  /// Seconds since 1970 UTC of the last change of any of the files.
  package var lastChange: Double {
    [original, record, pending].compactMap { $0?.changed.secondsSince1970 }.max() ?? 0
  }

  /// The stamp of the original alone, for what does not show the edit.
  package var withoutEdit: PhotoRevision {
    PhotoRevision(path: path, original: original, record: nil, pending: nil)
  }

  private init(path: FilePath, original: File, record: File?, pending: File?) {
    (self.path, self.original, self.record, self.pending) = (path, original, record, pending)
  }

  /// Bytes that are equal for equal stamps only.
  package var bytes: [UInt8] {
    let files = [original, record, pending].map { $0?.text ?? "-" }
    return Array(files.joined(separator: "\n").utf8) + [0] + path.bytes + [0]
  }

  /// A short word that is equal for equal stamps: 20 hexadecimal digits of the SHA-256 of ``bytes``.
  package var revision: String { String(SHA256.digest(of: bytes).description.prefix(20)) }

  private struct File: Sendable, Hashable {
    let size: Int64
    let modified: FileStatus.Time
    let changed: FileStatus.Time
    let inode: UInt64

    init(_ status: FileStatus) {
      (size, modified, changed, inode) = (
        status.size, status.modified, status.changed, status.inode
      )
    }

    var text: String {
      """
      \(size) \(modified.seconds).\(modified.nanoseconds) \(changed.seconds).\(changed.nanoseconds) \
      \(inode)
      """
    }
  }
}

extension FileStatus.Time {
  fileprivate var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}
