import Glibc
import PhotoEditing
import SafelightArguments

/// `edit worker`: does jobs that it reads, one to a line.
struct WorkerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Do jobs read from standard input, one JSON object to a line.",
    discussion: """
      For batches over many processes or machines. Each line of standard input is a job, and each \
      line of standard output the answer to one, in the same order, with the job's “id” if it has \
      one. A job names a photo and the words of a command line without it: apply, adjust, crop, \
      auto, sync, revert, render or any other command on photos:

        {"id": 1, "photo": "beach.jpg", "command": ["apply", "noir"]}

      Answers are what --json prints, with the line for people as “text”. A photo that fails does not \
      stop the worker. Every job may be repeated: what is done already is “unchanged”. SIGTERM and \
      Ctrl-C roll back the photo in hand and end the worker with exit code 130.

      Example:
        edit worker < jobs.ndjson > answers.ndjson
      """)

  @Option(
    help: ArgumentHelp(
      "Fail rather than take more memory than this; 0 is no limit.", valueName: "megabytes"))
  var memoryLimit = 0

  func validate() throws {
    try Limits.checkMemory(memoryLimit)
  }

  func run(on console: Console) async throws -> ExitCode {
    limitMemory()
    let wakeUp = WakeUp()
    let worker = Worker()
    return await withTaskCancellationHandler {
      // Nothing else wants this thread while the worker waits for a job.
      let lines = LineReader(STDIN_FILENO, until: wakeUp)
      while let line = lines.next() {
        if !line.isEmpty { console.result(await worker.answer(line).text) }
      }
      return Task.isCancelled ? ExitCode(130) : .success
    } onCancel: {
      wakeUp.ring()
    }
  }

  private func limitMemory() {
    guard memoryLimit > 0 else { return }
    let bytes = rlim_t(memoryLimit) << 20
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }
}
