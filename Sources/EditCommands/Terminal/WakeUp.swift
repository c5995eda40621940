import Dispatch
import Glibc
import Synchronization

/// A bell that a thread waiting for files can hear: once rung, it stays rung.
final class WakeUp: Sendable {
  /// Readable once the bell was rung; for `poll`.
  let descriptor: Int32
  private let rung = Atomic(false)

  private let clapper: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    socketpair(AF_UNIX, Int32(kind), 0, &ends)
    (descriptor, clapper) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(clapper)
  }

  /// Whether it was rung.
  var isRung: Bool { rung.load(ordering: .acquiring) }

  /// Rings it, from whatever thread.
  func ring() {
    rung.store(true, ordering: .releasing)
    _ = writeWhole("!", to: clapper)
  }

  /// Runs work that blocks its thread, on a thread of its own; cancelling the surrounding task rings
  /// the bell.
  static func ringingOnCancel<Result: Sendable>(
    _ work: @escaping @Sendable (WakeUp) -> Result
  ) async -> Result {
    let wakeUp = WakeUp()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "safelight.waiting").async {
          continuation.resume(returning: work(wakeUp))
        }
      }
    } onCancel: {
      wakeUp.ring()
    }
  }
}
