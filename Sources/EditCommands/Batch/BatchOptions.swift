import FoundationEssentials
import PhotoEditing
import SafelightArguments

/// How several photos are worked on.
struct BatchOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many photos are worked on at once; without it one for each core.", valueName: "n"),
    in: 1...1024)
  var jobs: Int?

  @OptionGroup var limits: PhotoLimits

  @Flag(help: "Stop at the first photo that fails.")
  var failFast = false

  @Flag(
    help: """
      Make all changes ready first and make them at the end; none when one cannot be made ready.
      """)
  var together = false

  @Option(
    help: ArgumentHelp(
      "Also write one JSON object for each photo to a file.", valueName: "file"),
    completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Also write a page with the photos before and after to a folder.", valueName: "folder"))
  var html: String?

  /// How many of so many photos are worked on at once.
  func atOnce(photos: Int) -> Int {
    // What libvips says of one photo cannot be told from what it says of another in the same process.
    guard PhotoDarkroom.current.place == .ownProcess else { return 1 }
    let wanted = max(1, min(jobs ?? Self.cores, photos))
    guard wanted > 1 else { return 1 }
    // A photo in hand has some eight files open, the program itself a dozen.
    let files = EditCommand.openFiles(atLeast: UInt(wanted * 10 + 64)).map { Int(clamping: $0) }
    return files.map { max(1, min(wanted, ($0 - 16) / 10)) } ?? wanted
  }

  /// What the work on one of so many photos may take: its share of the cores, and the limits.
  func bounds(photos: Int) -> PhotoWork.Bounds {
    var bounds = PhotoWork.Bounds()
    bounds.darkroom.memoryLimit = limits.memoryLimit
    let limit: Duration? = limits.timeout == 0 ? nil : .seconds(limits.timeout)
    bounds.darkroom.timeLimit = limit
    // Of a photo alone the user sees how long it takes; its decoder has the limit anyway.
    bounds.time = photos == 1 && limits.timeout == PhotoLimits.usualTime ? nil : limit
    let atOnce = atOnce(photos: photos)
    if atOnce > 1 { bounds.darkroom.threads = max(1, Self.cores / atOnce) }
    return bounds
  }

  private static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }
}

/// Limits of time and memory for a photo.
struct PhotoLimits: ParsableArguments {
  /// Seconds that a photo may take, unless told.
  static let usualTime = 600.0

  @Option(
    help: ArgumentHelp(
      "Give a photo up that takes longer than this; 0 is for ever.", valueName: "seconds"),
    in: 0...1e6)
  var timeout = PhotoLimits.usualTime

  @Option(
    help: ArgumentHelp(
      "Give a photo up that needs more memory than this; 0 is no limit.", valueName: "megabytes"))
  var memoryLimit = 4096

  func validate() throws { try Limits.checkMemory(memoryLimit) }
}
