import Dispatch
import Glibc

/// Ctrl-C and a polite request to end: the photo in hand is rolled back, nothing is left half done.
public enum Interruption {
  /// Runs the program's work in a task that SIGINT and SIGTERM cancel.
  public static func cancelling(_ work: @escaping @Sendable () async -> Void) async {
    let task = Task { await work() }
    let sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the process before anything is rolled back.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    await task.value
    for source in sources { source.cancel() }
  }
}
