import Glibc
import SafelightFiles
import SafelightMetadata
import Synchronization

/// The original, open for reading. Nothing here writes to it, and where the system allows it, not
/// even its access time changes.
package final class OriginalFile: Sendable {
  /// The original's absolute path, as ``SafelightFiles/FileSystem/photoPath(_:)`` gives it.
  package let path: FilePath
  /// Size, times and mode when it was opened.
  package let status: FileStatus
  /// The open file; its descriptor may be read from with `pread` as long as this object lives.
  package let file: OpenFile

  /// The way to the disk, which finds the files beside the original by their names in the folder
  /// that was opened with it.
  package let fileSystem: FileSystem
  private let known = Mutex<Digest?>(nil)
  /// The digest of the picture, once it was asked for; `nil` inside for pictures without one.
  private let knownPicture = Mutex<Digest??>(nil)
  /// The digests for all orientations, once they were asked for.
  private let knownTurns = Mutex<TurnedDigests??>(nil)
  /// The descriptor with the exclusive lock: ``file``, or another one of the same original.
  private let lockHolder = Mutex<OpenFile?>(nil)
  private let claim = Mutex<Claim?>(nil)

  private init(
    _ file: OpenFile, at path: FilePath, _ status: FileStatus, in fileSystem: FileSystem
  ) {
    self.path = path
    self.status = status
    self.file = file
    self.fileSystem = fileSystem
  }

  /// The original's own name.
  package var name: FilePath { path.lastComponent ?? path }

  /// The SHA-256 of the original, computed when first asked for; any thread may ask.
  ///
  /// Takes as long as reading the file. A second caller waits for the first.
  package func digest() throws(StorageError) -> Digest {
    do {
      return try known.withLock { (known) throws(FileSystemError) -> Digest in
        if let digest = known { return digest }
        let digest = try fileSystem.digest(of: file)
        known = digest
        return digest
      }
    } catch {
      throw .originalUnreadable(error)
    }
  }

  /// The SHA-256 of the original's picture, whatever its metadata; `nil` when its parts are not known.
  ///
  /// Computed when first asked for, which takes as long as reading the file.
  func pictureDigest() throws(StorageError) -> Digest? {
    do {
      return try knownPicture.withLock { (known) throws(FileSystemError) -> Digest? in
        if let digest = known { return digest }
        let digest = try PictureDigest.digest(of: file, size: status.size, fileSystem)
        known = .some(digest)
        return digest
      }
    } catch {
      throw .originalUnreadable(error)
    }
  }

  /// The digests that the picture has with each orientation; `nil` when its format has no tag for it.
  private func turnedDigests() throws(StorageError) -> TurnedDigests? {
    do {
      return try knownTurns.withLock { (known) throws(FileSystemError) -> TurnedDigests? in
        if let digests = known { return digests }
        let digests = try PictureDigest.digestsForAnyOrientation(
          of: file, size: status.size, fileSystem)
        known = .some(digests)
        return digests
      }
    } catch {
      throw .originalUnreadable(error)
    }
  }

  /// The original compared with what a record says of it.
  package enum Likeness: Sendable, Hashable {
    /// It is the same file, byte for byte.
    case same
    /// Another program wrote metadata into it; its picture is the same.
    case samePicture
    /// Another program changed its orientation tag from one value to another, 1 to 8, and perhaps
    /// other metadata. The stored pixels are the same.
    case turned(from: Int, to: Int)
    /// It is another picture.
    case different

    /// Whether the picture and its orientation are those recorded.
    package var isSame: Bool { self == .same || self == .samePicture }
  }

  /// Compares the original with what a record says: its size, then the SHA-256 of the file, then that
  /// of the picture.
  func likeness(to recorded: RecordedFile, picture: Digest?) throws(StorageError) -> Likeness {
    if recorded.size == status.size, try digest() == recorded.sha256 { return .same }
    guard let picture else { return .different }
    if try pictureDigest() == picture { return .samePicture }
    guard let turned = try turnedDigests(), let former = turned.orientation(of: picture) else {
      return .different
    }
    return .turned(from: former, to: turned.orientation)
  }

  /// Throws when the content under the original's name is no longer the one that was opened. A copy
  /// with the same content may have taken the original's place.
  func checkUnchanged() throws(StorageError) {
    let now: FileStatus
    do {
      now = try fileSystem.status(of: file)
    } catch {
      throw .originalUnreadable(error)
    }
    guard now.size == status.size, now.modified == status.modified else {
      throw .originalTouched(path)
    }
    if try isStillThere() { return }
    guard try isReplacedByCopy() else { throw .originalTouched(path) }
  }

  private func isReplacedByCopy() throws(StorageError) -> Bool {
    guard let copy = try? fileSystem.openForReading(path),
      let copied = try? fileSystem.status(of: copy), copied.kind == .file,
      copied.size == status.size
    else { return false }
    return try digest() == (try? fileSystem.digest(of: copy))
  }

  /// Whether a process died while it changed the photo, so that staged files may be left.
  var isClaimLeftOver: Bool { claim.withLock { $0?.isLeftOver ?? false } }
}

extension OriginalFile {
  /// Opens and locks the original that `path` leads to.
  ///
  /// The lock is `flock` on the original itself: it ends with the process that holds it. Where the
  /// system demands it, as NFS does, an exclusive lock is taken through a second descriptor that is
  /// open for writing and never written to. A writer also takes the ``Claim`` on the original's name.
  ///
  /// Everybody who may read a photo can lock it, also for other purposes. A reader does not wait for
  /// a lock whose holder has no claim.
  static func open(
    _ path: FilePath, exclusively: Bool, timeout: Duration, _ fileSystem: FileSystem
  ) throws(StorageError) -> OriginalFile {
    let start = ContinuousClock.now
    var pause: UInt32 = 1_000
    while true {
      let original = try openUnlocked(path, fileSystem)
      if try original.lock(exclusively: exclusively) {
        // While this one waited, the file may have been replaced by another of the same name.
        if try original.isStillThere() {
          guard exclusively else { return original }
          if try original.takeClaim() { return original }
        }
        original.unlock()
      } else if !exclusively, try original.isUnclaimed() {
        return original
      }
      let waited = ContinuousClock.now - start
      guard waited < timeout else {
        let process = fileSystem.processLocking(original.file)
        throw .busy(path, waited: waited, process: process)
      }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
  }

  /// Opens the original that `path` leads to, only to compare it with a record.
  static func openUnlocked(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(StorageError) -> OriginalFile {
    let original: OriginalFile
    do {
      let content = try fileSystem.resolve(path)
      let place = try fileSystem.photoPath(path, leadingTo: content)
      let folder = try Folder(place.removingLastComponent(), fileSystem)
      let anchored = fileSystem.anchored(at: folder)
      let file = try anchored.openReadOnly(content)
      original = OriginalFile(file, at: place, try anchored.status(of: file), in: anchored)
    } catch {
      switch error.errno {
      case ENOENT, ENOTDIR: throw .originalMissing(path)
      case ENXIO, ENODEV: throw .originalNotAFile(path)
      default: throw .originalUnreadable(error)
      }
    }
    guard original.status.kind == .file else { throw .originalNotAFile(path) }
    return original
  }

  private func lock(exclusively: Bool) throws(StorageError) -> Bool {
    do {
      guard exclusively else { return try fileSystem.lock(file, exclusively: false) }
      let holder = try fileSystem.lockExclusively(file)
      lockHolder.withLock { $0 = holder }
      return holder != nil
    } catch {
      throw .lockingUnavailable(path, errno: error.errno)
    }
  }

  /// Whether whoever has the lock makes no claim, and so changes nothing.
  private func isUnclaimed() throws(StorageError) -> Bool {
    try onDisk { () throws(FileSystemError) in
      let names = PhotoNames(path)
      if try Claim.state(names, fileSystem) == .held { return false }
      // A writer makes its claim right after it took the lock.
      usleep(1_000)
      return try Claim.state(names, fileSystem) != .held
    }
  }

  private func takeClaim() throws(StorageError) -> Bool {
    do {
      let taken = try Claim.take(PhotoNames(path), fileSystem)
      claim.withLock { $0 = taken }
      return taken != nil
    } catch {
      try PhotoNames(path).checkClaimsName(fileSystem)
      // Nothing can be changed where no file can be made, and what needs no change goes on.
      guard [EACCES, EPERM, EROFS].contains(error.errno) else { throw .fileSystem(error) }
      return true
    }
  }

  /// Lets go of the lock and the claim; the original stays open for reading.
  ///
  /// - Parameter leavingStagedFiles: Whether staged files stay that the next change is to remove.
  func unlock(leavingStagedFiles: Bool = false) {
    claim.withLock { $0.take() }?.release(leavingFile: leavingStagedFiles)
    file.unlock()
    lockHolder.withLock { $0.take() }?.unlock()
  }

  private func isStillThere() throws(StorageError) -> Bool {
    do {
      return try fileSystem.statusFollowingLinks(of: path)?.isSameFile(as: status) ?? false
    } catch {
      throw .originalUnreadable(error)
    }
  }
}

extension FileSystem {
  /// The absolute path of the photo that a path leads to. Beside it are the files of its edit.
  ///
  /// A symbolic link stands for the file that it leads to, with two exceptions. When the files of an edit are beside
  /// the link, the photo was moved and left a link behind, as programs do that look for duplicates. And when the link
  /// leads into a hidden folder, as those of git-annex do, nobody looks for edits there. Then the link is the photo.
  package func photoPath(_ path: FilePath) throws(FileSystemError) -> FilePath {
    try photoPath(path, leadingTo: resolve(path))
  }

  fileprivate func photoPath(
    _ path: FilePath, leadingTo content: FilePath
  ) throws(FileSystemError) -> FilePath {
    guard let name = path.lastComponent, try kind(of: path) == .symbolicLink else {
      return content
    }
    let folder = path.removingLastComponent()
    let link = try resolve(folder.isEmpty ? "." : folder).appending(name)
    let isRecordThere = try kind(of: link.recordPath) == .file
    let isChangePending = try kind(of: PhotoNames(link).pending) == .file
    return isRecordThere || isChangePending || content.isHidden(from: link) ? link : content
  }
}

extension FilePath {
  /// Whether the file is in a hidden folder that another file is not in.
  fileprivate func isHidden(from other: FilePath) -> Bool {
    var folder = removingLastComponent()
    while let name = folder.lastComponent {
      if name.isHidden, !other.isInside(folder) { return true }
      folder = folder.removingLastComponent()
    }
    return false
  }
}

/// The right of one process to change what is beside an original: the lock on a hidden file whose
/// name follows from the original's name.
///
/// The lock on the original itself goes with that file. Another program may put an identical copy
/// in its place while an edit runs, and a second edit could then lock the copy. Both edits find the
/// same claim, because they work on the same name.
///
/// A transaction also claims the name that a new render gets, so that of two photos with one stem,
/// such as `beach.jpg` and `beach.png`, only one takes `beach_edited.jpg`.
///
/// The file is empty and goes with the claim. One that a process left behind when it died tells the
/// next process to look for staged files.
struct Claim: Sendable {
  /// Whether a process that died had made the file.
  let isLeftOver: Bool

  private let path: FilePath
  private let file: OpenFile
  /// What has the lock: ``file``, or another descriptor of it.
  private let holder: OpenFile
  private let fileSystem: FileSystem

  /// Tries to make the file and to lock it.
  ///
  /// - Returns: `nil` when another process has the claim.
  static func take(
    _ names: PhotoNames, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> Claim? {
    let path = names.claim
    guard let (file, isLeftOver) = try open(path, fileSystem),
      let holder = try fileSystem.lockExclusively(file)
    else { return nil }
    // Whoever had the claim before removed the file when it was done.
    guard try fileSystem.status(of: path)?.isSameFile(as: fileSystem.status(of: file)) == true
    else { return nil }
    return Claim(
      isLeftOver: isLeftOver, path: path, file: file, holder: holder, fileSystem: fileSystem)
  }

  private static func open(
    _ path: FilePath, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> (OpenFile, isLeftOver: Bool)? {
    do throws(FileSystemError) {
      let file = try fileSystem.createExclusive(path)
      do throws(FileSystemError) {
        // Everybody who may edit here must be able to lock it, whatever the umask is.
        try fileSystem.setMode(of: file, to: 0o644)
      } catch {
        try? fileSystem.unlink(path)
        throw error
      }
      return (file, false)
    } catch {
      guard error.errno == EEXIST else { throw error }
    }
    do throws(FileSystemError) {
      let file = try fileSystem.openReadOnly(path)
      let status = try fileSystem.status(of: file)
      guard status.kind == .file, status.size == 0 else {
        throw FileSystemError(.init(.open, path), errno: EEXIST)
      }
      return (file, true)
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
  }

  /// What there is of a claim.
  enum State {
    /// Nobody changes the photo.
    case none
    /// A process changes the photo.
    case held
    /// A process died while it changed the photo.
    case leftOver
  }

  /// Finds out whether somebody has the claim.
  static func state(
    _ names: PhotoNames, _ fileSystem: FileSystem
  ) throws(FileSystemError) -> State {
    guard let status = try fileSystem.status(of: names.claim), status.kind == .file,
      status.size == 0
    else { return .none }
    do throws(FileSystemError) {
      let file = try fileSystem.openReadOnly(names.claim)
      guard let holder = try fileSystem.lockExclusively(file) else { return .held }
      holder.unlock()
      return .leftOver
    } catch {
      switch error.errno {
      case ENOENT: return .none
      case EACCES: return .held
      default: throw error
      }
    }
  }

  /// Gives the claim up.
  ///
  /// - Parameter leavingFile: Whether the file stays, because staged files stay that the next
  ///   process is to remove.
  /// - Returns: Whether the file is gone.
  @discardableResult
  func release(leavingFile: Bool) -> Bool {
    defer {
      holder.unlock()
      file.unlock()
    }
    return !leavingFile && (try? fileSystem.unlink(path)) != nil
  }
}
