import PhotoEditing
import SafelightArguments
import SafelightFiles

/// A command that writes to a console, which tests can read.
protocol ConsoleCommand: ParsableCommand {
  /// Does the command's work.
  ///
  /// - Returns: The code to end with. Errors have been printed.
  func run(on console: Console) async throws -> ExitCode
}

extension ConsoleCommand {
  mutating func run() async throws {
    let code = try await run(on: .standard)
    if !code.isSuccess { throw code }
  }
}

/// A command that does one thing to each of several photos.
protocol PhotoCommand: ConsoleCommand, Sendable {
  /// The words that name the command: `apply`, or `version` and `save`.
  static var words: [String] { get }
  /// Whether renders and base photos count as photos. Most commands pass them over.
  static var takesRenders: Bool { get }

  /// Which photos, how several are worked on, and how results are printed.
  var whole: BatchWideOptions { get }
  /// How the editor that does the work behaves.
  var editing: PhotoEditor.Configuration { get }
  /// Where a picture goes; `nil` for a command that writes none elsewhere. When it goes to standard output, that
  /// gets no results.
  var output: OutputPath? { get }
  /// Whether files of the photos may change, so that a library must be told.
  var mayChangePhotos: Bool { get }
  /// Asks the user, where a user is there to be asked, whether the work may begin.
  ///
  /// - Returns: `nil` when it may, or the code to end with.
  func refusal(of photos: [FilePath], on console: Console) async -> ExitCode?

  /// Makes what all photos share, such as the filter. A failure is reported once for all photos.
  ///
  /// - Parameter photos: All photos, also those that other machines process.
  associatedtype Preparation: Sendable = Void
  func prepare(for photos: [FilePath]) async throws -> Preparation

  /// Does the command's work on one photo.
  func work(on task: PhotoTask<Preparation>) async throws(EditError) -> PhotoResult
}

/// One photo that a command works on, with what the command needs for it.
struct PhotoTask<Preparation: Sendable>: Sendable {
  /// The photo's path, as it was given.
  let path: FilePath
  /// The photo's place among those that the command was prepared for.
  let index: Int
  let preparation: Preparation
  let editor: PhotoEditor

  var photo: Photo { Photo(path: path) }
}

/// A command that changes the edits of photos, so that a batch of it can be changed together.
protocol ChangingCommand: PhotoCommand {
  /// Whether it only says what it would do.
  var dryRun: DryRunOption { get }
}

/// Options of a batch as a whole. What is done to each photo is not among them.
struct BatchWideOptions: ParsableArguments {
  @OptionGroup(title: "Photos") var selection: SelectionOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var output: PhotoOptions

  /// What the command line says besides these options: what is done to each photo.
  @OtherWords var others
}

/// The file or folder that a picture is written to: the value of an option `--output`. `-` is
/// standard output.
struct OutputPath: ExpressibleByArgument {
  /// The path.
  let path: FilePath
  var isStandardOutput: Bool { path == "-" }

  init(argument: String) { path = FilePath(argument: argument) }
}

extension PhotoCommand {
  static var words: [String] { configuration.commandName.map { [$0] } ?? [] }
  static var takesRenders: Bool { false }
  var selection: SelectionOptions { whole.selection }
  var batch: BatchOptions { whole.batch }
  var options: PhotoOptions { whole.output }
  var editing: PhotoEditor.Configuration { PhotoEditor.Configuration() }
  var output: OutputPath? { nil }
  var writesToStandardOutput: Bool { output?.isStandardOutput == true }
  var mayChangePhotos: Bool { (self as? any ChangingCommand)?.dryRun.isOn == false }
  func refusal(of photos: [FilePath], on console: Console) async -> ExitCode? { nil }

  func run(on console: Console) async throws -> ExitCode { try await runOnFiles(on: console) }

  /// Finds the photos and works on them.
  func runOnFiles(on console: Console) async throws -> ExitCode {
    if batch.together, !(self is any ChangingCommand) {
      throw ValidationError("--together is for commands that change the edits of photos.")
    }
    let printer = ResultPrinter(
      console: writesToStandardOutput ? console.withoutResults : console, json: options.json,
      quiet: options.quiet)
    var found: PhotoSelection
    do {
      found = try PhotoSelection(
        selection, takesRenders: Self.takesRenders, isReading: !mayChangePhotos, outputs: outputs)
      for text in found.recoveryNotes { printer.note(text) }
      if batch.together { found.leaveOutSameFiles() }
    } catch let error as FileSystemError {
      throw ValidationError(error.description)
    } catch let error as ValidationError {
      throw error
    } catch {
      return try console.fail(error, json: options.json)
    }
    if let code = await refusal(of: found.photos, on: console) { return code }
    let code = try await Batch(command: self, selection: found, printer: printer).run()
    if let problem = await found.refreshLibrary() { printer.note(problem) }
    if let warning = SandboxOption.warning { printer.note(warning) }
    return code
  }

  /// Where pictures go: what `--output` names, and the folder of a page.
  private var outputs: [FilePath] {
    [output?.path, batch.html.map { FilePath(argument: $0) }].compactMap(\.self)
  }
}

extension PhotoCommand where Preparation == Void {
  func prepare(for photos: [FilePath]) {}
}

/// A command that changes the edit of each of several photos and renders it.
protocol EditingCommand: ChangingCommand {
  var rendering: RenderingOptions { get }
}

extension EditingCommand {
  var editing: PhotoEditor.Configuration {
    var configuration = rendering.decoding.configuration
    configuration.rendersVideos = !rendering.noVideo
    return configuration
  }
  var quality: Int? { rendering.quality }
  var dryRun: DryRunOption { rendering.dryRun }
}

/// How a command on photos prints results.
struct PhotoOptions: ParsableArguments {
  @Flag(help: "Print one JSON object for each photo.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors; with --json, results too.")
  var quiet = false
}

/// The option of commands that write.
struct DryRunOption: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: "Say what would happen, and do nothing.")
  var isOn = false

  /// What JSON says of a dry run.
  var details: [JSONValue.Member] { isOn ? JSONValue.members(["dryRun": true]) : [] }
}

/// Options of commands that read pictures.
struct DecodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Refuse photos with more megapixels than this.", valueName: "megapixels"), in: 1...1_000_000)
  var pixelLimit = 500

  @Flag(help: "Take a truncated or damaged photo as far as it goes.")
  var allowDamaged = false

  @OptionGroup var sandbox: SandboxOption

  /// An editor that behaves as the options say.
  var configuration: PhotoEditor.Configuration {
    var configuration = PhotoEditor.Configuration()
    configuration.pixelLimit = pixelLimit * 1_000_000
    configuration.allowsDamage = allowDamaged
    return configuration
  }
}

/// Options of commands that change an edit and render it.
struct RenderingOptions: ParsableArguments {
  @Option(
    help: """
      JPEG quality of the render, from 1 to 100, also for later edits of the photo; without it what was given before, \
      or as good as the original.
      """, in: Limits.quality)
  var quality: Int?

  @Flag(
    help: """
      Do not edit the video of a Live Photo or motion photo; a motion photo's render then has none.
      """)
  var noVideo = false

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions
}

/// Options of commands that write a picture of a photo.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The picture to write, .jpg, .png, .webp or .tif, or a folder for several.",
      valueName: "path"))
  var output: OutputPath

  @Option(help: "Quality of JPEG and WebP, from 1 to 100.", in: Limits.quality)
  var quality = RenderOutput.standard.quality

  @Flag(help: "Replace files that are there; photos never.")
  var overwrite = false

  func validate() throws { try output.checkIsFile() }
}

extension RenderDestination {
  /// Where the pictures of photos go. Without a format, the ending of the path says it.
  ///
  /// - Throws: `ValidationError` when no format fits, or several photos have no folder.
  init(
    writing output: OutputPath, of photos: [FilePath], as picture: RenderOutput = RenderOutput(),
    hasFormat: Bool = false, names: [FilePath]? = nil, isForSeveral: Bool = false,
    keepsNumbers: Bool = false
  ) throws {
    self.init(
      output.path, photos: photos, as: picture, hasFormat: hasFormat, names: names,
      isForSeveral: isForSeveral, keepsNumbers: keepsNumbers)
    if let mismatch { throw ValidationError(mismatch) }
  }
}

extension OutputPath {
  /// Refuses standard output, which only `edit render` writes to.
  func checkIsFile() throws(ValidationError) {
    if isStandardOutput {
      throw ValidationError(
        "Only “edit render” writes to standard output. A file called “-” is named ./-.")
    }
  }
}

/// Ranges of numbers on the command line.
enum Limits {
  /// JPEG and WebP quality, as libjpeg and libwebp count.
  static let quality = 1.0...100

  /// Megabytes of memory: below, a process cannot even start its threads.
  private static let memory = 256.0...1e9

  /// Refuses a limit of memory outside its range; 0 is no limit.
  static func checkMemory(_ megabytes: Int) throws(UsageError) {
    guard megabytes != 0, !memory.contains(Double(megabytes)) else { return }
    throw .outOfRange(Double(megabytes), option: "--memory-limit", range: memory)
  }
}
