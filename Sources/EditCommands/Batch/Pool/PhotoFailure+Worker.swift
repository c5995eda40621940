import Glibc
import PhotoEditing

/// What becomes of a photo whose worker fails it.
extension PhotoFailure {
  static let interruptedCode = "interrupted"

  static func interrupted(_ photo: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: interruptedCode, message: "The work on \(photo) was interrupted.",
      hint: "The same command again does it.")
  }

  static func timedOut(_ photo: FilePath, after time: Duration) -> PhotoFailure {
    let seconds = JSONValue.number(time.milliseconds / 1000).text
    return PhotoFailure(
      code: "timed-out", message: "\(photo) took longer than \(seconds) s and was given up.",
      hint: "Give it more time with --timeout.")
  }

  /// - Parameter lastWords: What the process wrote last.
  static func crashed(
    _ photo: FilePath, _ end: WorkerProcess.End, _ lastWords: String?, memoryLimit: Int
  ) -> PhotoFailure {
    let how =
      switch end {
      case .exit(let code): "ended early with exit code \(code)"
      case .signal(let number): "crashed: \(String(cString: strsignal(number)))"
      }
    let words = lastWords.map { " (\($0))" } ?? ""
    let memory =
      memoryLimit == 0
      ? "" : "; if it is a large one, allow more than --memory-limit \(memoryLimit)"
    return PhotoFailure(
      code: "worker-crashed", message: "The process that worked on \(photo) \(how)\(words).",
      hint: "Look at the photo in another program, as its file may be damaged\(memory).")
  }

  /// A worker died with a change that it held.
  static func heldChangeLost(_ photo: FilePath) -> PhotoFailure {
    PhotoFailure(
      code: "worker-crashed", message: "The process that held the change of \(photo) ended.",
      hint: "The same command again does it.")
  }

  static func workerUnavailable(_ error: SystemCallError) -> PhotoFailure {
    PhotoFailure(
      code: "worker-unavailable", message: "No worker process could be started: \(error.reason).",
      hint: "Free memory or processes, or work with fewer --jobs.")
  }
}
