import SafelightRendering
import SafelightStorage

/// The pixels that an edit starts from, for changes of the edit that depend on them.
struct StartingPicture {
  let start: StartingPoint
  let original: OriginalFile
  let editor: PhotoEditor

  /// Width and height of the photo with an edit, at full size.
  func size(with edit: EditStack) throws -> PixelSize {
    try reading { source in
      let size = try editor.renderer.size(of: source, edit: edit)
      return PixelSize(width: size.width, height: size.height)
    }
  }

  /// Values that suit the photo.
  func automaticAdjustments(
    _ kinds: Set<AutomaticAdjustment>, with edit: EditStack
  ) throws -> AutomaticAdjustments {
    try reading { try editor.renderer.automaticAdjustments(kinds, for: $0, edit: edit) }
  }

  private func reading<Result>(_ body: (PhotoSource) throws -> Result) throws -> Result {
    var result: Result?
    try editor.withSource(of: start, original) { result = try body($0) }
    guard let result else { throw EditError.renderMissing(original.path) }
    return result
  }
}
