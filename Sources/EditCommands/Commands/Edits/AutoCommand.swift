import PhotoEditing
import SafelightArguments

/// `edit auto`: adjusts photos by what is in them.
struct AutoCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "auto",
    abstract: "Adjust photos by what is in them.",
    discussion: """
      Measures each photo without its edit and sets ordinary parameters, which “edit show” prints and \
      “edit adjust” changes: exposure, contrast, highlights, shadows, whites and blacks (--tone), \
      temperature and tint (--white-balance), the angle that makes long edges level (--straighten), \
      and noise reduction by the noise that is there (--denoise). Without any of the four, tone and \
      white balance are set. --strength takes every value back towards neutral. A good photo hardly changes, and the same again changes \
      nothing.

      Example:
        edit auto beach.jpg
        edit auto --straighten holiday/*.jpg
        edit auto --strength 0.5 holiday/*.jpg
        edit auto --tone --white-balance --denoise night.jpg
      """)

  @Flag(help: "Set exposure, contrast, highlights, shadows, whites and blacks.")
  var tone = false

  @Flag(help: "Set temperature and tint.")
  var whiteBalance = false

  @Flag(help: "Make the photo level, where it has edges that show what is level.")
  var straighten = false

  @Flag(help: "Reduce noise of brightness and color as far as the photo has it.")
  var denoise = false

  @Option(help: "How far every value goes from neutral, from 0 to 1.")
  var strength = 1.0

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    try Limits.check(strength, in: 0...1, "--strength")
  }

  func prepare(for photos: [FilePath]) -> Set<AutomaticAdjustment> {
    let asked: [(Bool, AutomaticAdjustment)] = [
      (tone, .tone), (whiteBalance, .whiteBalance), (straighten, .straighten),
      (denoise, .denoise),
    ]
    let kinds = asked.filter(\.0).map(\.1)
    return kinds.isEmpty ? [.tone, .whiteBalance] : Set(kinds)
  }

  func work(on task: PhotoTask<Set<AutomaticAdjustment>>) async throws(EditError) -> PhotoResult {
    let found = try await task.editor.automaticAdjustments(
      for: task.photo, task.preparation, strength: strength)
    let changing = found.settings.filter { $0.value != $0.parameter.neutral }
    let did = changing.map { "\($0.parameter.option ?? $0.parameter.name) \($0.argument)" }
      .joined(separator: ", ")
    var result = try await adjust(
      task, did: did.isEmpty ? "nothing to improve" : did
    ) { edit throws(AdjustmentError) in
      try edit.set(found.settings)
    }
    let values = found.settings.map { setting in
      JSONValue.Member(setting.parameter.option ?? setting.parameter.name, setting.value)
    }
    result.warnings = found.notes + result.warnings
    result.details = JSONValue.members(["values": JSONValue.object(values)]) + result.details
    return result
  }
}
