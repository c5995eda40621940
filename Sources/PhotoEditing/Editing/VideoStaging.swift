import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// What becomes of a photo's video with a new edit.
struct StagedVideo {
  /// What people should know.
  var warnings: [String] = []
  /// Whether the video of the present edit stays.
  var isKept = false
}

extension PhotoEditor {
  /// Renders the video of a Live Photo with a new edit, and stages it, so that it comes with the new still or not at all.
  ///
  /// A video that cannot be rendered stays as it was taken, which is said; the still has its edit all the same.
  func stageVideo(
    for new: NewEdit, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> StagedVideo {
    if case .none = new.render { return StagedVideo() }
    // Faults of the disk that tests play are about the photo's own files.
    guard let video = PhotoVideo(of: edit.path, .real) else { return StagedVideo() }
    guard video.kind == .live else {
      let isSaid = try edit.originalFacts().format == .jpeg
      return StagedVideo(
        warnings: isSaid
          ? [] : ["The video stays in the photo's file; the edited picture has none."])
    }
    guard configuration.rendersVideos else { return StagedVideo() }
    func failed(_ reason: String) -> StagedVideo {
      StagedVideo(warnings: ["The video stays as it was taken: \(reason)."])
    }
    guard EditStack.canHandle(new.data), new.start.pixels == .original else {
      return failed("the edit starts from another program's picture")
    }
    if edit.record?.adjustmentData == new.data, new.turned.isEmpty,
      edit.files.path(of: .video) != nil
    {
      return StagedVideo(isKept: true)
    }
    do {
      let file = try fileSystem.openForReading(video.path)
      let rendered = try VideoRenderer(configuration.darkroom, cancellation: cancellation)
        .render(file, edit: EditStack(new.data))
      guard let rendered else { return StagedVideo() }
      _ = try edit.videoTransaction.stageVideo(rendered.bytes)
      let names = rendered.leftOut.joined(separator: ", ")
      return StagedVideo(warnings: names.isEmpty ? [] : ["The video is without: \(names)."])
    } catch let error as VideoFailure {
      return failed(error.description)
    }
  }
}

extension OpenEdit {
  fileprivate var videoTransaction: Transaction {
    guard let transaction else { preconditionFailure("The photo is open only for reading.") }
    return transaction
  }
}
