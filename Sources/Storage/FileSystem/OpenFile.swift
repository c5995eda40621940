import Glibc

/// A descriptor that is closed when its last owner lets go of it.
public final class OpenFile: Sendable {
  /// The descriptor; valid as long as this object lives, and not to be closed by others.
  public let descriptor: Int32
  /// The name it was opened under.
  public let path: FilePath

  init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Lets go of the lock now, even if a child process inherited the descriptor.
  func unlock() {
    flock(descriptor, LOCK_UN)
  }

  deinit {
    close(descriptor)
  }
}
