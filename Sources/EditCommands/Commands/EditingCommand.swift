import PhotoEditing
import SafelightArguments

/// A command that changes the edit of each of several photos and renders it.
protocol EditingCommand: PhotoCommand {
  var rendering: RenderingOptions { get }
}

extension EditingCommand {
  static var changesEdits: Bool { true }
  var editing: PhotoEditor.Configuration { rendering.decoding.configuration }
  var quality: Int { rendering.quality }
  var dryRun: DryRunOption { rendering.dryRun }

  /// Changes a photo's edit.
  ///
  /// - Parameter did: What was done to the photo, for people.
  func adjust(
    _ photo: FilePath, by editor: PhotoEditor, did: String,
    _ change: @Sendable (inout EditStack) throws(AdjustmentError) -> Void
  ) async throws(EditError) -> PhotoResult {
    let result = try await editor.adjust(
      Photo(path: photo), quality: quality, dryRun: dryRun.isOn, change)
    return PhotoResult(result, did: did, to: photo, dryRun: dryRun)
  }
}
