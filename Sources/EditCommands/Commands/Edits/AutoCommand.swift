import PhotoEditing
import SafelightArguments

/// `edit auto`: adjusts photos by what is in them.
struct AutoCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "auto",
    abstract: "Adjust photos by what is in them.",
    discussion: """
      Measures each photo without its edit and sets ordinary parameters, which “edit show” prints and \
      “edit adjust” changes: exposure, contrast, whites and blacks (--tone), temperature and tint \
      (--white-balance), and the angle that makes long edges level (--straighten). Without any of \
      the three, tone and white balance are set. A good photo hardly changes, and the same again \
      changes nothing.

      Example:
        edit auto beach.jpg
        edit auto --straighten holiday/*.jpg
        edit auto --tone --white-balance --straighten beach.jpg
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @Flag(help: "Set exposure, contrast, whites and blacks.")
  var tone = false

  @Flag(help: "Set temperature and tint.")
  var whiteBalance = false

  @Flag(help: "Make the photo level, where that is clear.")
  var straighten = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) -> Set<AutomaticAdjustment> {
    let asked: [(Bool, AutomaticAdjustment)] = [
      (tone, .tone), (whiteBalance, .whiteBalance), (straighten, .straighten),
    ]
    let kinds = asked.filter(\.0).map(\.1)
    return kinds.isEmpty ? [.tone, .whiteBalance] : Set(kinds)
  }

  func work(
    on photo: FilePath, at index: Int, with kinds: Set<AutomaticAdjustment>, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let found = try await editor.automaticAdjustments(for: Photo(path: photo), kinds)
    let changing = found.settings.filter { $0.value != $0.parameter.neutral }
    let did = changing.map { "\($0.parameter.option ?? $0.parameter.name) \($0.argument)" }
      .joined(separator: ", ")
    let result = try await adjust(
      photo, by: editor, did: did.isEmpty ? "nothing to improve" : did
    ) { edit throws(AdjustmentError) in
      try edit.set(found.settings)
    }
    let values = found.settings.map { setting in
      JSONValue.Member(setting.parameter.option ?? setting.parameter.name, setting.value)
    }
    return PhotoResult(
      status: result.status, text: result.text, rows: result.rows, rendered: result.rendered,
      record: result.record, warnings: found.notes + result.warnings,
      details: [JSONValue.Member("values", .object(values))] + result.details)
  }
}
