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

extension InnerVideo? {
  /// Writes a JPEG, with the video behind it where there is one.
  ///
  /// - Parameters:
  ///   - sink: Where the file goes.
  ///   - isWritten: Whether the video is in it.
  ///   - draw: Makes the JPEG and hands its bytes on in order.
  func writing<Report>(
    to sink: FileSink, _ isWritten: inout Bool,
    _ draw: (@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Report
  ) throws -> Report {
    guard let self else { return try draw { try sink.write($0) } }
    var jpeg: [UInt8] = []
    let report = try draw { jpeg += $0 }
    let whole = self.bytes(behind: jpeg)
    isWritten = whole != nil
    try sink.write(whole ?? jpeg)
    return report
  }
}

extension PhotoEditor {
  /// Renders the photo's video with a new edit, so that it comes with the new still or not at all: that of a Live Photo is
  /// staged, that of a motion photo goes behind the render.
  ///
  /// A video that cannot be rendered stays as it was taken, which is said; the still has its edit all the same.
  func stageVideo(
    for new: NewEdit, of edit: OpenEdit, _ cancellation: RenderCancellation
  ) throws -> StagedVideo {
    if case .none = new.render { return StagedVideo() }
    // Faults of the disk that tests play are about the photo's own files.
    guard let video = PhotoVideo(of: edit.path, .real) else { return StagedVideo() }
    let name =
      switch video.kind {
      case .live:
        "The Live Photo's video \(video.path.lastComponent ?? video.path) stays as it was taken"
      case .motion: "\(MetadataWarning.motionPhoto) is not carried"
      }
    func left(_ reason: String = "") -> StagedVideo { StagedVideo(warnings: [name + reason + "."]) }
    func failed(_ reason: VideoFailure) -> StagedVideo { left(": \(reason)") }
    guard configuration.rendersVideos else { return left() }
    guard EditStack.canHandle(new.data), new.start.pixels == .original else {
      return failed(.otherBase)
    }
    if video.kind == .live, edit.record?.adjustmentData == new.data, new.turned.isEmpty,
      edit.presentVideo != nil, !edit.files.hasForeignNames
    {
      return StagedVideo(isKept: true)
    }
    if video.kind == .motion {
      switch new.render {
      case .copied(let copy):
        let hasVideo = PhotoBytes(copy.path, .real).flatMap(ContainedVideo.init(in:)) != nil
        return hasVideo ? StagedVideo() : left()
      case .rendered, .withNewMetadata: break
      case .converted, .none: return left()
      }
    }
    do {
      let original = try video.bytes(.real)
      let rendered = try renderer(cancellation).render(original, edit: EditStack(new.data))
      var staged = StagedVideo(warnings: rendered.warnings)
      switch video.kind {
      case .live: if let bytes = rendered.bytes { _ = try edit.changing.stageVideo(bytes) }
      case .motion:
        staged.inner = InnerVideo(
          bytes: rendered.bytes ?? original, mime: video.mime, stillImageTime: video.stillImageTime)
      }
      return staged
    } catch let error as VideoFailure {
      return failed(error)
    }
  }

  /// What renders videos.
  nonisolated func renderer(_ cancellation: RenderCancellation) -> VideoRenderer {
    var renderer = VideoRenderer(configuration.darkroom, cancellation: cancellation)
    renderer.path = configuration.programPath
    return renderer
  }
}

extension PhotoVideo {
  /// The bytes of the movie.
  ///
  /// - Throws: ``VideoFailure`` when it is too large or cannot be read.
  func bytes(_ fileSystem: FileSystem) throws -> [UInt8] {
    guard byteRange.count <= VideoRenderer.largestVideo else { throw VideoFailure.tooLarge }
    guard let file = try? fileSystem.openForReading(path),
      let bytes = try? fileSystem.bytes(
        of: file, from: byteRange.lowerBound, count: byteRange.count),
      bytes.count == byteRange.count
    else { throw VideoFailure.unreadable }
    return bytes
  }

  fileprivate var mime: String { fileExtension == "mov" ? "video/quicktime" : "video/mp4" }
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
      let tenths = Int((meanError * 10).rounded())
      warnings.append(
        "The video's colors differ from the edit's by \(tenths / 10).\(tenths % 10) in the mean (CIEDE2000)."
      )
    }
    return warnings
  }
}

extension OpenEdit {
  /// The video of the present edit; `nil` when the record names none or it is not there.
  var presentVideo: FilePath? {
    let isRecorded = record?.files.contains { $0.role == .video } == true
    return isRecorded ? files.path(of: .video) : nil
  }
}
