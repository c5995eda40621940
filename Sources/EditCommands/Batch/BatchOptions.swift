import FoundationEssentials
import PhotoEditing
import SafelightArguments

/// How several photos are worked on.
struct BatchOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many processes work side by side; without it one for each core.", valueName: "n"))
  var jobs: Int?

  @OptionGroup var limits: WorkerLimits

  @Flag(help: "Stop at the first photo that fails.")
  var failFast = false

  @Flag(
    help: """
      Make all changes ready first and make them at the end; none when one cannot be made ready.
      """)
  var together = false

  /// The former name of `--together`, for scripts.
  @Flag(help: .hidden)
  var atomic = false

  /// Whether all changes are made together at the end, or none.
  var changesTogether: Bool { together || atomic }

  @Option(
    help: ArgumentHelp(
      "Also write one JSON object for each photo to a file.", valueName: "file"),
    completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Also write a page with the photos before and after to a folder.", valueName: "folder"))
  var html: String?

  func validate() throws {
    if let jobs { try Limits.check(Double(jobs), in: 1...1024, "--jobs") }
  }

  /// The pool for so many photos.
  func pool(program: FilePath, photos: Int) -> WorkerPool.Configuration {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let size = max(1, min(jobs ?? cores, photos))
    // Together the workers' threads are as many as there are cores.
    let launch = WorkerLaunch(
      executable: program, memoryLimit: limits.memoryLimit, threads: max(1, cores / size))
    return WorkerPool.Configuration(
      launch: launch, size: size, timeout: limits.timeout == 0 ? nil : .seconds(limits.timeout))
  }
}

/// Limits of time and memory for a photo.
struct WorkerLimits: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give a photo up that takes longer than this; 0 is for ever.", valueName: "seconds"))
  var timeout = 600.0

  @Option(
    help: ArgumentHelp(
      "Give a photo up that needs more memory than this; 0 is no limit.", valueName: "megabytes"))
  var memoryLimit = 4096

  /// The darkroom that keeps to the limits.
  var darkroom: PhotoDarkroom {
    var darkroom = PhotoDarkroom.current
    darkroom.memoryLimit = memoryLimit
    darkroom.timeLimit = timeout == 0 ? nil : .seconds(timeout)
    return darkroom
  }

  func validate() throws {
    try Limits.check(timeout, in: 0...1e6, "--timeout")
    try Limits.checkMemory(memoryLimit)
  }
}
