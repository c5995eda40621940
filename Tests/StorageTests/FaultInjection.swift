import Glibc
import Synchronization

@testable import SafelightStorage

/// Lets the n-th step fail, and perhaps every later one.
final class FaultInjection: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case diskFullOnce
    case diskFullFromThenOn
    case ioErrorOnce
    case ioErrorFromThenOn
    case halfAWriteThenDiskFull
    /// Nothing works any more, cleaning up neither: what is left is what a dead process leaves.
    case crash
  }

  private let kind: Kind
  private let target: Int
  private let count = Mutex(0)

  init(_ kind: Kind, at step: Int) {
    self.kind = kind
    target = step
  }

  /// Whether there were enough steps for one to fail.
  var wasReached: Bool { count.withLock { $0 >= target } }

  var fileSystem: FileSystem {
    FileSystem { [self] step in
      let number = count.withLock { count in
        count += 1
        return count
      }
      guard number >= target else { return nil }
      switch kind {
      case .diskFullOnce: return number == target ? .failure(ENOSPC) : nil
      case .ioErrorOnce: return number == target ? .failure(EIO) : nil
      case .halfAWriteThenDiskFull: return number == target ? .partialWrite(ENOSPC) : nil
      // A full disk still lets files be read, renamed over and removed.
      case .diskFullFromThenOn:
        let grows: Set<FileSystem.Step.Kind> = [.create, .write, .sync, .syncFolder]
        return number == target || grows.contains(step.kind) ? .failure(ENOSPC) : nil
      case .ioErrorFromThenOn: return .failure(EIO)
      case .crash:
        return number == target && step.kind == .write ? .partialWrite(EIO) : .failure(EIO)
      }
    }
  }
}
