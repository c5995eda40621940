import Glibc
import SafelightFiles
import Synchronization

/// Lets the n-th operation on files fail, and perhaps every later one.
package final class FaultInjection: Sendable {
  /// How operations fail.
  package enum Kind: String, Sendable, CaseIterable {
    case diskFullOnce
    case diskFullFromThenOn
    case ioErrorOnce
    case ioErrorFromThenOn
    case halfAWriteThenDiskFull
    /// Nothing works any more, not even cleaning up, as after the death of a process.
    case crash
  }

  private let kind: Kind
  private let target: Int
  private let count = Mutex(0)

  /// - Parameter number: Which operation fails, from 1.
  package init(_ kind: Kind, at number: Int) {
    self.kind = kind
    target = number
  }

  /// Whether there were enough operations for one to fail.
  package var wasReached: Bool { count.withLock { $0 >= target } }

  /// The file system whose operations fail.
  package var fileSystem: FileSystem {
    FileSystem { [self] operation in
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
        let grows: Set<FileSystem.Operation.Kind> = [
          .create, .createFolder, .write, .sync, .syncFolder,
        ]
        return number == target || grows.contains(operation.kind) ? .failure(ENOSPC) : nil
      case .ioErrorFromThenOn: return .failure(EIO)
      case .crash:
        return number == target && operation.kind == .write ? .partialWrite(EIO) : .failure(EIO)
      }
    }
  }

  /// Runs a test with the first operation failing, then with the second, the third, until none
  /// fails any more.
  ///
  /// - Parameter body: Makes its own folder, does its work through ``fileSystem``, and checks the
  ///   result. It must expect success when ``wasReached`` is `false`.
  package static func forEachOperation(
    failing kind: Kind, _ body: (FaultInjection) async throws -> Void
  ) async throws {
    for number in 1... {
      let faults = FaultInjection(kind, at: number)
      try await body(faults)
      if !faults.wasReached { return }
    }
  }
}
