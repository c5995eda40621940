import Arguments
import PhotoEditing

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

  @Argument(help: "The photos: JPEG, PNG, TIFF, WebP, HEIC or AVIF.", completion: .photos)
  var photos: [String]

  @Option(help: "JPEG quality of the render, from 1 to 100.")
  var quality = RenderOutput.standard.quality

  @OptionGroup var options: PhotoOptions
  @OptionGroup var dryRun: DryRunOption
  @OptionGroup var decoding: DecodingOptions

  func validate() throws { try checkQuality() }

  func prepare() {}

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
