import PhotoEditing
import SafelightArguments

/// `edit adjust`: sets parameters of photos' adjustments.
struct AdjustCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust",
    abstract: "Set the light, colors and other adjustments of photos.",
    discussion: """
      Renders each photo beside its original and stores the edit. An option sets a value, however \
      often it is given; the photo's other adjustments and its filter stay. At its neutral value \
      an adjustment goes, and a photo with nothing left of its edit is reverted.

      A curve is written as points from dark to light, each with what goes in and what comes out: \
      "0,0 0.5,0.6 1,1" brightens the mid-tones.

      Example:
        edit adjust beach.jpg --exposure 0.5 --contrast 12 --temperature 5200
        edit adjust *.jpg --tone-curve "0,0 0.5,0.6 1,1"
        edit adjust beach.jpg --reset --saturation -20
      """)

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionTable(ParameterOptions.table) var values

  @Flag(help: "Drop all adjustments first; filters stay.")
  var reset = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func validate() throws {
    guard reset || !values.isEmpty else {
      throw ValidationError("Say what to adjust, such as --exposure 0.5, or --reset.")
    }
    _ = try prepare(for: [])
  }

  func prepare(for photos: [FilePath]) throws -> [ParameterSetting] {
    try ParameterOptions.settings(values)
  }

  func work(
    on photo: FilePath, at index: Int, with settings: [ParameterSetting], by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let reset = reset
    let result = try await editor.adjust(
      Photo(path: photo), quality: quality, dryRun: dryRun.isOn
    ) { edit throws(AdjustmentError) in
      if reset { edit.removeAdjustments() }
      try edit.set(settings)
    }
    return PhotoResult(result, did: "adjusted", to: photo, dryRun: dryRun)
  }
}
