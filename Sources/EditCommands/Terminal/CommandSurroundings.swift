import Dispatch
import Glibc
import PhotoEditing

/// What commands use besides their words. Tests choose it.
enum CommandSurroundings {
  /// The filters that the user saved.
  @TaskLocal static var userFilters = UserFilters.standard
  /// The program whose command `worker` does the work of batches; `nil` when they stay in this
  /// process.
  @TaskLocal static var workerProgram: FilePath?
  /// Where the progress of batches is shown; `nil` is nowhere.
  @TaskLocal static var progressTerminal: ProgressTerminal?
  /// The terminal to ask questions on; `nil` when nobody can be asked.
  @TaskLocal static var questionTerminal: QuestionTerminal?
}

/// Ctrl-C and SIGTERM: the photo in hand is rolled back, and nothing stays half done.
package enum Interruption {
  /// Runs the program's work in a task that SIGINT and SIGTERM cancel.
  package static func cancelling(_ work: @escaping @Sendable () async -> Void) async {
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

/// Makes the program start sooner.
package enum QuickStart {
  /// Keeps libvips from loading its modules, which takes as long as the rest of its start. Of the
  /// modules only that for HEIF is used, and it is loaded when a photo needs it.
  ///
  /// libvips looks for modules below `VIPSHOME`. Call this before any other thread runs, since it
  /// sets the environment; a `VIPSHOME` that is set already stays.
  package static func withoutModules() {
    setenv("VIPSHOME", "/nonexistent", 0)
  }
}
