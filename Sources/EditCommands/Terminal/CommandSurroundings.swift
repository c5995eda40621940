import Dispatch
import Glibc
import PhotoEditing

/// What commands find around them and tests choose.
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

/// What makes the program start sooner.
public enum QuickStart {
  /// Keeps libvips from loading its modules, which takes as long as the rest of its start: of
  /// ImageMagick, Poppler, OpenSlide, JPEG XL and HEIF only the last is used, and loaded when a photo
  /// needs it.
  ///
  /// libvips looks for modules below `VIPSHOME`. Call this before any other thread runs, since it
  /// sets the environment; a `VIPSHOME` that is set already stays.
  public static func withoutModules() {
    setenv("VIPSHOME", "/nonexistent", 0)
  }
}
