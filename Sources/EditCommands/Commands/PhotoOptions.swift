import PhotoEditing
import SafelightArguments

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
      "Refuse photos with more megapixels than this.", valueName: "megapixels"))
  var pixelLimit = 500

  @Flag(help: "Take a truncated or damaged photo as far as it goes.")
  var allowDamaged = false

  func validate() throws {
    try Limits.check(Double(pixelLimit), in: 1...1_000_000, "--pixel-limit")
  }

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
      JPEG quality of the render, from 1 to 100; without it that of the present render, or 95.
      """)
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  func validate() throws {
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
  }
}

/// Options of commands that write a picture of a photo.
struct PictureOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The picture to write, .jpg, .png, .webp or .tif, or a folder for several.",
      valueName: "path"))
  var output: OutputPath

  @Option(help: "Quality of JPEG and WebP, from 1 to 100.")
  var quality = RenderOutput.standard.quality

  @Flag(help: "Replace files that are there; photos never.")
  var overwrite = false

  func validate() throws {
    try Limits.check(Double(quality), in: Limits.quality, "--quality")
    try output.checkIsFile()
  }
}

extension RenderDestination {
  /// Where the pictures of photos go. Without a format, the ending of the path says it.
  ///
  /// - Throws: `ValidationError` when no format fits, or several photos have no folder.
  init(writing output: OutputPath, of photos: [FilePath], format: RenderOutput.Format? = nil) throws
  {
    self.init(output.path, photos: photos, format: format)
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
  static let memory = 256.0...1e9

  /// Refuses a limit of memory outside its range; 0 is no limit.
  static func checkMemory(_ megabytes: Int) throws(LimitError) {
    if megabytes != 0 { try check(Double(megabytes), in: memory, "--memory-limit") }
  }

  /// Refuses a number outside its range.
  static func check(
    _ number: Double, in range: ClosedRange<Double>, _ option: String
  ) throws(LimitError) {
    if !range.contains(number) { throw LimitError(option: option, range: range, number: number) }
  }
}

/// A number outside the range of its option.
///
/// The command line is understood and only the value is not allowed, so the message comes without the
/// usage.
struct LimitError: Misuse, Equatable, CustomStringConvertible {
  let option: String
  let range: ClosedRange<Double>
  let number: Double

  var description: String {
    let (from, to) = (text(range.lowerBound), text(range.upperBound))
    return "\(option) takes a number from \(from) to \(to), not \(text(number))."
  }

  private func text(_ number: Double) -> String { JSONValue.number(number).text }
}
