import PhotoEditing
import SafelightArguments

/// `edit straighten`: turns photos a little.
struct StraightenCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "straighten",
    abstract: "Turn photos a little, without empty corners.",
    discussion: """
      Sets by how many degrees each photo is turned clockwise, or counterclockwise below 0: the \
      same again changes nothing, and 0 takes it back. The largest rectangle of the photo's own \
      aspect is kept. “edit auto --straighten” finds the angle itself.

      Example:
        edit straighten 1.5 beach.jpg
        edit straighten -2 beach.jpg
      """)

  static let range = -45.0...45

  @Argument(help: "Degrees clockwise, from -45 to 45.")
  var degrees: Double

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func validate() throws {
    try Limits.check(degrees, in: Self.range, "The angle")
  }

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let degrees = degrees
    let did = "straightened by \(JSONValue.number(degrees).text)°"
    return try await adjust(photo, by: editor, did: did) { edit throws(AdjustmentError) in
      try edit.adjust(Straighten.self) { $0.amount = degrees }
    }
  }
}
