import PhotoEditing
import SafelightArguments

/// Options that every command on photos has: how results are printed.
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
  var details: [JSONValue.Member] { isOn ? [JSONValue.Member("dryRun", .bool(true))] : [] }
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
  @Option(help: "JPEG quality of the render, from 1 to 100.")
  var quality = RenderOutput.standard.quality

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  func validate() throws { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
}
