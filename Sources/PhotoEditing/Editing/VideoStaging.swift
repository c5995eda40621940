import SafelightDarkroom
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightRendering
import SafelightStorage

/// What becomes of a photo's video with a new edit.
struct StagedVideo {
  /// What people should know.
  var warnings: [String] = []
  /// Whether the warnings say why the render of a motion photo has no video, so that the renderer need not say that it has
  /// none.
  var replacesRendererWarning = false
  /// Whether the video of the present edit stays.
  var isKept = false
  /// The video to put behind the render of a motion photo.
  var inner: InnerVideo?
}

/// A video that belongs behind the picture of a JPEG.
struct InnerVideo {
  var bytes: [UInt8]
  /// What kind of movie it is.
  var mime: String
  /// When the still was taken, in seconds from the video's beginning; `nil` when nothing says it.
  var stillImageTime: Double?

  /// A JPEG with the video behind it; `nil` when the JPEG has no room for what names it.
  func bytes(behind jpeg: [UInt8]) -> [UInt8]? {
    MotionPhoto.bytes(of: jpeg, with: bytes, mime: mime, stillImageTime: stillImageTime)
  }
}

extension InnerVideo {
  /// A photo's video with other bytes.
  ///
  /// - Parameters:
  ///   - trim: How it was trimmed; `nil` for not at all.
  ///   - stillTime: When the frame is shown that took the still's place; `nil` when none did.
  fileprivate init(
    _ video: PhotoVideo, bytes: [UInt8], trim: VideoTrim? = nil, _ stillTime: Double? = nil
  ) {
    self.init(
      bytes: bytes, mime: video.fileExtension == "mov" ? "video/quicktime" : "video/mp4",
      stillImageTime: (stillTime ?? video.stillImageTime).map {
        trim?.stillImageTime($0, of: video.duration) ?? $0
      })
  }
}

extension PhotoEditor {
  /// Renders the photo's video with a new edit, so that it comes with the new still or not at all: that of a Live Photo is
  /// staged, that of a motion photo goes behind the render.
  ///
  /// A video that another program gave with its edit is taken, and one that the present files have with this edit. A video that cannot be rendered stays as it
  /// was taken, which is said; the still has its edit all the same.
  func stageVideo(
    for new: NewEdit, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> StagedVideo {
    if case .none = new.render { return StagedVideo() }
    let original = try edit.pixels(of: edit.originalStart).source.file
    let bytes = PhotoBytes(original, size: Int(edit.files.moment.originalSize))
    // Tests that make each step on the disk fail count those of the photo's own files, not the search for a video.
    guard let video = PhotoVideo(of: edit.path, bytes, .real) else {
      return StagedVideo(warnings: [edit.warningWithoutVideo(for: new.data)].compactMap(\.self))
    }
    let fileSystem = edit.changing.snapshot.original.fileSystem
    let name =
      switch video.kind {
      case .live:
        "The Live Photo's video \(video.path.lastComponent ?? video.path) stays as it was taken"
      case .motion: "\(MetadataWarning.motionPhoto) is not carried"
      }
    func left(_ reason: String? = nil) -> StagedVideo {
      StagedVideo(
        warnings: [name + (reason.map { ": " + $0 } ?? "") + "."],
        replacesRendererWarning: video.kind == .motion)
    }
    if let given = new.video {
      var staged = StagedVideo()
      switch video.kind {
      case .live: _ = try edit.changing.stageVideo(given)
      case .motion: staged.inner = InnerVideo(video, bytes: given)
      }
      return staged
    }
    let isOwn = EditStack.canHandle(new.data)
    let stillTime = edit.keyPhotoTime(of: new.start)
    let isOfVideo = new.start.pixels == .original || stillTime != nil
    do {
      switch video.kind {
      case .live:
        if isOwn, isOfVideo, new.keyPhoto == nil, edit.record?.adjustmentData == new.data,
          (edit.record?.base == nil) == (new.start.pixels == .original),
          new.turned.isEmpty, edit.presentVideo != nil, !edit.files.hasForeignNames
        {
          return StagedVideo(isKept: true)
        }
      case .motion:
        switch new.render {
        case .copied(let copy):
          let copied = PhotoBytes(copy.path, fileSystem)
          if copied.flatMap({ ContainedVideo(in: $0) }) != nil { return StagedVideo() }
        case .withNewMetadata:
          if let inner = try edit.innerVideoOfRender(fileSystem) {
            return StagedVideo(inner: inner)
          }
        case .rendered, .converted, .none: break
        }
      }
      guard configuration.rendersVideos else { return left() }
      guard isOwn else { return left("another program made the edit") }
      guard isOfVideo else { throw VideoFailure.otherBase }
      if video.kind == .motion, case .converted = new.render { return left() }
      let movie = try video.bytes(fileSystem, of: video.kind == .motion ? original : nil)
      let stack = try EditStack(new.data)
      let rendered = try renderer(cancellation).render(
        movie, edit: stack, stillTime: stillTime)
      let trim = try VideoTrim(stack)
      var staged = StagedVideo(warnings: rendered.warnings + video.warnings(of: trim, stillTime))
      switch video.kind {
      case .live: if let bytes = rendered.bytes { _ = try edit.changing.stageVideo(bytes) }
      case .motion:
        staged.inner = InnerVideo(video, bytes: rendered.bytes ?? movie, trim: trim, stillTime)
      }
      return staged
    } catch let failure as VideoFailure {
      return left(failure.description)
    }
  }

  /// What renders videos.
  nonisolated func renderer(_ cancellation: RenderCancellation) -> VideoRenderer {
    var renderer = VideoRenderer(configuration.darkroom, cancellation: cancellation)
    renderer.searchPath = configuration.searchPath
    return renderer
  }
}

extension PhotoVideo {
  /// What people should know of a trimmed video.
  ///
  /// - Parameter stillTime: When the frame is shown that took the still's place; `nil` when none did.
  func warnings(of trim: VideoTrim, _ stillTime: Double? = nil) -> [String] {
    guard let stillImageTime = stillTime ?? stillImageTime, trim.isOutside(stillImageTime) else {
      return []
    }
    return ["The moment of the still is trimmed; the video's mark of it is at the nearest end."]
  }

  /// The bytes of the movie.
  ///
  /// - Parameter open: The file that has the movie, where it is open already.
  /// - Throws: ``VideoFailure`` when it is too large or cannot be read.
  func bytes(_ fileSystem: FileSystem, of open: OpenFile? = nil) throws -> [UInt8] {
    guard byteRange.count <= VideoRenderer.largestVideo else { throw VideoFailure.tooLarge }
    guard let file = try? open ?? fileSystem.openForReading(path),
      let bytes = try? fileSystem.bytes(
        of: file, from: byteRange.lowerBound, count: byteRange.count),
      bytes.count == byteRange.count
    else { throw VideoFailure.unreadable }
    return bytes
  }
}

extension RenderedVideo {
  /// How the video differs from its still.
  var warnings: [String] {
    func list(_ names: [String]) -> String { names.joined(separator: ", ") }
    var warnings: [String] = []
    if !leftOut.isEmpty { warnings.append("The video is without: \(list(leftOut)).") }
    if !simplified.isEmpty {
      warnings.append("The video has these by color alone: \(list(simplified)).")
    }
    if bytes != nil, meanError > 1 {
      warnings.append(
        "The video's colors differ from the edit's by \(meanError.decimal(digits: 1, padded: true)) in the mean (CIEDE2000)."
      )
    }
    return warnings
  }
}

extension OpenEdit {
  /// What is to be said of a new edit where no video of the photo was found.
  fileprivate func warningWithoutVideo(for data: AdjustmentData) -> String? {
    if presentVideo != nil {
      return
        "The Live Photo's video is not beside it any more, so the edited video goes; “edit render --stale” makes it again once the video is back."
    }
    if let refusal = PhotoVideo.refusal(beside: path, .real) { return refusal }
    guard EditStack.canHandle(data), (try? VideoTrim(EditStack(data)).isNothing) == false else {
      return nil
    }
    return "The photo has no video: muting and trimming change nothing."
  }

  /// The video of the present edit; `nil` when the record names none or it is not there.
  var presentVideo: FilePath? {
    let isRecorded = record?.files.contains { $0.role == .video } == true
    return isRecorded ? files.path(of: .video) : nil
  }

  /// The video inside of the present render; `nil` when there is none.
  ///
  /// - Throws: ``VideoFailure`` when it is too large or cannot be read.
  fileprivate func innerVideoOfRender(_ fileSystem: FileSystem) throws -> InnerVideo? {
    guard let path = files.path(of: .render) else { return nil }
    let render = try pixels(of: EditStart(pixels: .render, path: path)).source.file
    let bytes = PhotoBytes(render, size: Int(try fileSystem.status(of: render).size))
    guard let video = PhotoVideo(inside: path, bytes) else { return nil }
    return InnerVideo(video, bytes: try video.bytes(fileSystem, of: render))
  }
}
