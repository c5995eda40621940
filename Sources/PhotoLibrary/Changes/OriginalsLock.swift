import Glibc
import PhotoEditing

/// Excludes other change sets, of whatever process, that move files of the library.
///
/// A lock on the folder of originals, which goes with the process.
struct OriginalsLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock.
  ///
  /// - Parameter waiting: Whether to wait for others; blocks the thread.
  /// - Returns: `nil` when somebody else has it and it was not to be waited for.
  init?(_ originals: FilePath, waiting: Bool) throws(PhotoLibraryError) {
    do {
      try FileSteps.createFolders(originals)
    } catch {
      throw PhotoLibraryError(error, originals)
    }
    descriptor = open(originals.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PhotoLibraryError(FileSteps.Refusal(errno: errno), originals)
    }
    while flock(descriptor, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
      if errno == EINTR { continue }
      close(descriptor)
      return nil
    }
  }

  func release() { close(descriptor) }
}

extension PhotoLibraryError {
  /// A refused step on a file of the library's own.
  init(_ refusal: FileSteps.Refusal, _ path: FilePath) {
    self =
      refusal.errno == ENOSPC || refusal.errno == EDQUOT
      ? .notEnoughSpace(path) : .catalog(path, detail: refusal.detail)
  }
}
