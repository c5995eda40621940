import PhotoEditing
import SafelightArguments

/// `edit rotate`: turns photos by quarters.
struct RotateCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Turn photos by quarters.",
    discussion: """
      Sets how far each photo is turned clockwise from how it was taken: the same again changes \
      nothing, and 0 turns it back. -90 and left are 270, right is 90. A crop turns with the \
      picture, and so do its straightening and perspective.

      Example:
        edit rotate 90 beach.jpg
        edit rotate left portraits/*.jpg
        edit rotate 0 beach.jpg
      """)

  @Argument(help: "How far clockwise.")
  var degrees: QuarterTurns

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let degrees = degrees
    let did = degrees == .none ? "turned back" : "turned by \(degrees.argument)°"
    return try await adjust(photo, by: editor, did: did) { edit throws(AdjustmentError) in
      try edit.turn { rotate, _ in rotate.amount = degrees }
    }
  }
}

extension QuarterTurns: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument: argument, unit: .degrees) }
  public var defaultValueDescription: String { argument }
  public static var allValueStrings: [String] { choices + ["left", "right"] }
}
