import Dispatch
import Glibc
import PhotoEditing
import Synchronization

/// What commands use besides their words. Tests choose it.
enum CommandSurroundings {
  /// The filters that the user saved.
  @TaskLocal static var userFilters = UserFilters.standard
  /// The user's presets of outputs.
  static var presets: OutputPresets { OutputPresets(beside: userFilters) }
  /// Where the progress of batches is shown; `nil` is nowhere.
  @TaskLocal static var progressTerminal: ProgressTerminal?
  /// The terminal to ask questions on; `nil` when nobody can be asked.
  @TaskLocal static var questionTerminal: QuestionTerminal?
}

/// Ctrl-C and SIGTERM: the photos in hand are rolled back, and nothing stays half done. A second signal
/// ends the program at once.
package enum Interruption {
  /// Runs the program's work in a task that SIGINT and SIGTERM cancel.
  package static func cancelling(_ work: @escaping @Sendable () async -> Void) async {
    let task = Task { await work() }
    guard let (readingEnd, writingEnd) = try? connectedSockets(SOCK_NONBLOCK) else {
      return await task.value
    }
    // All are made now: a signal must not find them half made.
    seen.store(0, ordering: .releasing)
    first.store(0, ordering: .releasing)
    descriptor.store(writingEnd, ordering: .releasing)
    let source = DispatchSource.makeReadSource(fileDescriptor: readingEnd, queue: .global())
    source.setEventHandler {
      var byte: UInt8 = 0
      read(readingEnd, &byte, 1)
      task.cancel()
    }
    source.resume()
    // A handler gets the signal in whichever thread it arrives. A dispatch source for signals does
    // not: the kernel drops an ignored signal that the main thread does not block.
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.interrupt(number)
      }
    }
    await task.value
    source.cancel()
  }

  /// What the signal's handler writes to.
  private static let descriptor = Atomic<Int32>(-1)
  /// Whether SIGINT or SIGTERM has come.
  static var hasCome: Bool { seen.load(ordering: .acquiring) != 0 }

  /// The signals that have come, one bit each.
  private static let seen = Atomic<UInt64>(0)
  /// When the first one came, in milliseconds; 0 before it.
  private static let first = Atomic<Int64>(0)

  /// Called by a signal: does only what is safe at any moment.
  private static func interrupt(_ number: Int32) {
    let bit = UInt64(1) << UInt64(number)
    let before = seen.bitwiseOr(bit, ordering: .relaxed).oldValue
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let milliseconds = Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    let start = first.compareExchange(expected: 0, desired: milliseconds, ordering: .relaxed)
      .original
    // `timeout` sends SIGTERM twice within a moment. Nobody presses Ctrl-C twice by accident.
    let isSecondCtrlC = number == SIGINT && before & bit != 0
    if before != 0, isSecondCtrlC || milliseconds - start > 200 {
      signal(number, SIG_DFL)
      raise(number)
    }
    var byte: UInt8 = 0
    write(descriptor.load(ordering: .acquiring), &byte, 1)
  }
}
