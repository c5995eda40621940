import Glibc
import SafelightFiles

/// The right of one process to change what is beside an original: the lock on a hidden file whose
/// name follows from the original's name.
///
/// The lock on the original itself goes with that file. Another program may put an identical copy
/// in its place while an edit runs, and a second edit could then lock the copy. Both edits find the
/// same claim, because they work on the same name.
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
    do {
      let file = try fileSystem.createExclusive(path)
      // Everybody who may edit here must be able to lock it, whatever the umask is.
      try fileSystem.setMode(of: file, to: 0o644)
      return (file, false)
    } catch {
      guard error.errno == EEXIST else { throw error }
    }
    do throws(FileSystemError) {
      let file = try fileSystem.openReadOnly(path)
      guard try fileSystem.status(of: file).kind == .file else {
        throw FileSystemError(.init(.lock, path), errno: EEXIST)
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
    guard try fileSystem.status(of: names.claim)?.kind == .file else { return .none }
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
  func release(leavingFile: Bool) {
    if !leavingFile { try? fileSystem.unlink(path) }
    holder.unlock()
    file.unlock()
  }
}
