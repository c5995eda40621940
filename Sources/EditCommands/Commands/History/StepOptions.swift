import PhotoEditing
import SafelightArguments

/// Options of the commands that go back and forth through the edits of photos.
struct StepOptions: ParsableArguments {
  @Option(help: "How many edits to go, at most.")
  var steps = 1

  @Option(
    help: ArgumentHelp(
      "JPEG quality of the render, from 1 to 100; without it what the edit was rendered with."))
  var quality: Int?

  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  func validate() throws {
    try Limits.check(Double(steps), in: 1...1_000_000, "--steps")
    if let quality { try Limits.check(Double(quality), in: Limits.quality, "--quality") }
  }
}
