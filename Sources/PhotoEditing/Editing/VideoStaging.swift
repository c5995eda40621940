import SafelightDarkroom
import SafelightFiles
import SafelightMetadata
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
  ///
  /// - Parameter said: The warnings of the still.
  func stageVideo(
    for new: NewEdit, of edit: OpenEdit, besides said: [String], _ cancellation: RenderCancellation
  ) throws -> StagedVideo {
    if case .none = new.render { return StagedVideo() }
    // Faults of the disk that tests play are about the photo's own files.
    guard let video = PhotoVideo(of: edit.path, .real) else { return StagedVideo() }
    guard video.kind == .live else {
      let isSaid = said.contains { $0.hasPrefix(MetadataWarning.motionPhoto) }
      let warning = MetadataWarning.motionPhotoNotCarried(bytes: video.byteRange.count)
      return StagedVideo(warnings: isSaid ? [] : [warning.description])
    }
    func left(_ reason: String = "") -> StagedVideo {
      let name = video.path.lastComponent ?? video.path
      return StagedVideo(
        warnings: ["The Live Photo's video \(name) stays as it was taken\(reason)."])
    }
    func failed(_ reason: String) -> StagedVideo { left(": \(reason)") }
    guard configuration.rendersVideos else { return left() }
    guard EditStack.canHandle(new.data), new.start.pixels == .original else {
      return failed("the edit starts from another program's picture")
    }
    if edit.record?.adjustmentData == new.data, new.turned.isEmpty, edit.ownsVideo {
      return StagedVideo(isKept: true)
    }
    do {
      let file: OpenFile
      do {
        file = try FileSystem.real.openForReading(video.path)
      } catch {
        return failed("it cannot be read")
      }
      var renderer = VideoRenderer(configuration.darkroom, cancellation: cancellation)
      renderer.path = configuration.programPath
      let rendered = try renderer.render(file, edit: EditStack(new.data))
      if let bytes = rendered.bytes { _ = try edit.changing.stageVideo(bytes) }
      return StagedVideo(warnings: rendered.warnings)
    } catch let error as VideoFailure {
      return failed(error.description)
    }
  }
}

extension RenderedVideo {
  /// How the video differs from its still.
  fileprivate var warnings: [String] {
    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    var warnings: [String] = []
    if !leftOut.isEmpty { warnings.append("The video is without: \(list(leftOut)).") }
    if !simplified.isEmpty {
      warnings.append("The video has these by color alone: \(list(simplified)).")
    }
    if bytes != nil, meanError > 1 {
      let tenths = Int((meanError * 10).rounded())
      warnings.append(
        "The video's colors differ from the edit's by \(tenths / 10).\(tenths % 10) in the mean (CIEDE2000)."
      )
    }
    return warnings
  }
}

extension OpenEdit {
  /// Whether the video of the present edit is there, under a name that is this photo's.
  fileprivate var ownsVideo: Bool {
    record?.files.contains { $0.role == .video } == true && files.path(of: .video) != nil
      && !files.hasForeignNames
  }
}
