import SafelightDarkroom
import SafelightFiles
import SafelightRendering
import SafelightStorage

/// A video that was written to a file of its own.
public struct VideoExport: Sendable, Hashable {
  /// The video that was taken with the photo.
  public let video: PhotoVideo
  /// Whether the file has the photo's edit; otherwise it is the video byte for byte as the camera made it. A dry run renders
  /// nothing: it says `true` for each edit of the original, although a video may prove to be one that cannot be rendered, or
  /// that has nothing of the edit.
  public internal(set) var isEdited = false
  /// What people should know, one sentence each: what of the edit the video is without.
  public internal(set) var warnings: [String] = []
}

extension PhotoEditor {
  /// Writes the video of a Live Photo or a motion photo to a file of its own, with the photo's edit.
  ///
  /// The edited video that stands beside a Live Photo is copied; any other is rendered. A video that no edit changes, or
  /// that cannot be rendered, which is said, is written byte for byte as the camera made it.
  ///
  /// - Parameters:
  ///   - photo: The photo, edited or not.
  ///   - path: Where the video goes; a file of that name stays.
  ///   - original: Whether to write it as the camera made it, whatever the edit is.
  ///   - dryRun: Whether only to find out what would happen.
  /// - Returns: What was written.
  /// - Throws: ``EditError/noVideo(_:)`` for a photo without a video, or another ``EditError``; no file is left behind
  ///   then.
  @discardableResult
  public func exportVideo(
    of photo: Photo, to path: FilePath, original: Bool = false, dryRun: Bool = false
  ) async throws(EditError) -> VideoExport {
    try await reading(photo) { edit, cancellation in
      guard let video = PhotoVideo(of: edit.path, fileSystem) else {
        throw EditError.noVideo(edit.path)
      }
      try edit.files.checkDestination(path, replacing: false)
      var export = VideoExport(video: video)
      var (source, range) = (video.path, video.byteRange)
      var rendered: [UInt8]?
      if !original, edit.record != nil {
        if let present = edit.presentVideo {
          try edit.files.check(.video)
          source = present
          range = 0..<(try fileSystem.statusFollowingLinks(of: present)?.size ?? 0)
          export.isEdited = true
        } else if dryRun {
          export.isEdited = try edit.start().pixels == .original && !edit.stack().isEmpty
        } else {
          (rendered, export.warnings) = try render(video, of: edit, cancellation)
          export.isEdited = rendered != nil
        }
      }
      if dryRun { return export }
      let file = try fileSystem.openForReading(source)
      // Not more readable than the file that has it.
      let mode = 0o644 & (try fileSystem.status(of: file)).modeOfCompanion
      let written = try fileSystem.writeWhole(path, replacing: false, mode: mode) { sink in
        if let rendered {
          try sink.write(rendered)
          return true
        }
        var offset = range.lowerBound
        while offset < range.upperBound {
          if cancellation.isCancelled { throw CancellationError() }
          let count = min(range.upperBound - offset, 1 << 20)
          let bytes = try fileSystem.bytes(of: file, from: offset, count: Int(count))
          guard !bytes.isEmpty else { throw EditError.noVideo(edit.path) }
          try sink.write(bytes)
          offset += Int64(bytes.count)
        }
        return true
      }
      guard written != nil else { throw EditError.destinationTaken(path, .exists) }
      return export
    }
  }

  /// Renders a photo's video with its present edit.
  ///
  /// - Returns: The video, `nil` where the edit changes nothing of it or it cannot be rendered; and warnings.
  nonisolated private func render(
    _ video: PhotoVideo, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> ([UInt8]?, [String]) {
    do {
      guard try edit.start().pixels == .original else { throw VideoFailure.otherBase }
      let stack = try edit.stack()
      let rendered = try renderer(cancellation).render(video.bytes(fileSystem), edit: stack)
      return (rendered.bytes, try rendered.warnings + video.warnings(of: VideoTrim(stack)))
    } catch let error as VideoFailure {
      return (nil, ["The video is written as it was taken: \(error.description)."])
    }
  }

  /// The video of a Live Photo or a motion photo; `nil` for another photo.
  ///
  /// - Throws: ``EditError`` when the photo is missing or its sidecar is unusable.
  public func video(of photo: Photo) async throws(EditError) -> PhotoVideo? {
    try await reading(photo) { edit, _ in PhotoVideo(of: edit.path, fileSystem) }
  }
}
