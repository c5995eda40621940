import PhotoEditing
import SafelightArguments

/// `edit flip`: mirrors photos.
struct FlipCommand: EditingCommand {
  static let configuration = CommandConfiguration(
    commandName: "flip",
    abstract: "Mirror photos.",
    discussion: """
      Sets how each photo is mirrored: the same again changes nothing, and none takes it back. \
      Horizontal exchanges left and right, vertical top and bottom, of the picture as it stands \
      after “edit rotate”.

      Example:
        edit flip horizontal beach.jpg
        edit flip none *.jpg
      """)

  /// Which sides are exchanged.
  enum Direction: String, CaseIterable, ExpressibleByArgument {
    case horizontal, vertical, both, none
  }

  @Argument(help: "Which sides are exchanged.")
  var direction: Direction

  @OptionGroup(title: "Photos") var selection: SelectionOptions

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup(title: "Batches") var batch: BatchOptions
  @OptionGroup(title: "Output") var options: PhotoOptions

  func prepare(for photos: [FilePath]) {}

  func work(
    on photo: FilePath, at index: Int, with preparation: Void, by editor: PhotoEditor
  ) async throws(EditError) -> PhotoResult {
    let direction = direction
    let did = direction == .none ? "mirrored back" : "mirrored"
    return try await adjust(photo, by: editor, did: did) { edit throws(AdjustmentError) in
      try edit.turn { _, flip in
        flip.horizontal = direction == .horizontal || direction == .both
        flip.vertical = direction == .vertical || direction == .both
      }
    }
  }
}
