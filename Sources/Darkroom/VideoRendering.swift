import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightProcesses
import SafelightRendering

/// A video with an edit.
package struct RenderedVideo: Sendable {
  /// The bytes of the edited video's file; `nil` where the edit leaves the video as it is.
  package var bytes: [UInt8]?
  /// The adjustments that the video does not have, because they need what is around a pixel.
  package var leftOut: [String] = []
  /// The adjustments that act as in an even area, because the video's colors know nothing of what is around them.
  package var simplified: [String] = []
  /// The mean error of the video's colors in CIEDE2000: those of a table, against the edit's.
  package var meanError = 0.0
}

/// Why a video has no edit. The video itself stays as it was.
package enum VideoFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no `ffmpeg` or `ffprobe` in `PATH`.
  case noProgram
  /// This computer cannot take away the program's rights, as by Landlock, so it is not run.
  case unconfined
  /// The edit starts from pixels that another program made, which the video does not have.
  case otherBase
  /// It has more bytes than ``VideoRenderer/largestVideo``.
  case tooLarge
  /// Its file cannot be read.
  case unreadable
  /// Safelight does not edit such videos; the text says which, as the end of a sentence.
  case unsupported(String)
  /// The program failed; the text is what it said last.
  case failed(String)

  /// What a program that took too long is said to have done.
  static let tookTooLong = VideoFailure.failed("it took too long")

  package var description: String {
    switch self {
    case .noProgram: "there is no ffmpeg on this computer"
    case .unconfined: "ffmpeg only runs without rights, which needs Landlock and seccomp"
    case .otherBase: "the edit starts from another program's picture"
    case .tooLarge: "it has more than \(VideoRenderer.largestVideo >> 20) MB"
    case .unreadable: "it cannot be read"
    case .unsupported(let reason): reason
    case .failed(let detail): "ffmpeg failed: \(detail)"
    }
  }
}

extension VideoFailure {
  /// What fails with files of the work, which are not the photo's.
  init(_ error: FileSystemError) {
    let words = error.description
    self = .failed(words.hasSuffix(".") ? String(words.dropLast()) : words)
  }
}

/// Gives the frames of a Live Photo's video the edit of its still.
///
/// Quarter turns alone are what the movie says of its frames, which stay as they are. Anything else is done by the program
/// ffmpeg, which has no rights; see `ConfinedProgram`: geometry is one map of places, color a table of 33³ colors. All but
/// the frames stays as it is, byte for byte.
package struct VideoRenderer {
  let darkroom: PhotoDarkroom
  let cancellation: RenderCancellation?
  /// The folders in which ffmpeg is looked for, with colons; `nil` are those of `PATH`.
  package var searchPath: String?
  /// The folder in which the table of colors lies for a while; `nil` is that of `TMPDIR`, or `/tmp`.
  package var temporaryFolder: FilePath?

  /// The largest video that is edited, in bytes.
  package static let largestVideo = 256 << 20

  /// - Parameters:
  ///   - darkroom: Says what a video may take.
  ///   - cancellation: Ends the work early.
  package init(_ darkroom: PhotoDarkroom, cancellation: RenderCancellation? = nil) {
    (self.darkroom, self.cancellation) = (darkroom, cancellation)
  }

  /// Renders a video with an edit.
  ///
  /// - Parameters:
  ///   - file: The video, open.
  ///   - stack: The edit of its still.
  /// - Throws: ``VideoFailure``, `RenderError`, or `CancellationError`.
  package func render(_ file: OpenFile, edit stack: EditStack) throws -> RenderedVideo {
    let original: [UInt8]
    do throws(FileSystemError) {
      original = try FileSystem.real.contents(of: file, limit: Self.largestVideo)
    } catch {
      throw error.errno == EFBIG ? VideoFailure.tooLarge : .unreadable
    }
    return try render(original, edit: stack)
  }

  /// Renders a video with an edit.
  ///
  /// - Parameters:
  ///   - original: The bytes of the whole movie.
  ///   - stack: The edit of its still.
  ///   - stillTime: When the frame is shown that took the still's place, in seconds; `nil` when none did.
  /// - Throws: ``VideoFailure``, `RenderError`, or `CancellationError`.
  package func render(
    _ original: [UInt8], edit stack: EditStack, stillTime: Double? = nil
  ) throws -> RenderedVideo {
    do {
      var result = try rendered(original, edit: stack)
      let video = try VideoTrim(stack, stillTime: stillTime)
      if !video.isNothing { result.bytes = try video.bytes(of: result.bytes ?? original) }
      return result
    } catch let error as FileSystemError {
      throw VideoFailure(error)
    }
  }

  private func rendered(_ original: [UInt8], edit stack: EditStack) throws -> RenderedVideo {
    guard let movie = Movie(in: 0..<original.count, { original.bytes(at: $0, count: $1) }),
      let video = movie.video, let size = movie.size, size.width > 1, size.height > 1
    else { throw VideoFailure.unsupported("it is no movie that can be read") }
    let movement = try FrameMovement(
      stack, of: PixelSize(width: size.width, height: size.height))
    if let turns = movement.quarterTurns {
      if turns == 0 { return RenderedVideo() }
      if let turned = MovieTurn.bytes(of: original, byQuarterTurns: turns) {
        return RenderedVideo(bytes: turned)
      }
    }
    guard movement.isProjective,
      movement.corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else {
      throw VideoFailure.unsupported("its frames cannot be bent as the edit bends the still")
    }
    let tools = try VideoTools(darkroom, cancellation, in: searchPath)
    let (input, stream) = try tools.open(original)
    let look = try BakedLook(stack, isDisplayP3: stream["color_primaries"] == "smpte432")
    var result = RenderedVideo(
      leftOut: look.leftOut, simplified: look.simplified, meanError: look.meanError)
    guard look.changesColors || !movement.isNothing else { return result }
    let (coding, pixelFormat) = try stream.coding(named: video.coding)
    let output = try VideoTools.memory("safelight-frames")
    let folder =
      try look.changesColors ? TableFolder(look.table.cubeFile(), in: temporaryFolder) : nil
    let filters = FrameFilters(
      movement, table: folder == nil ? nil : TableFolder.name, stream, pixelFormat: pixelFormat,
      height: size.height)
    var program = tools.converter(
      from: VideoTools.movieInput,
      to: ["-vf", filters.text]
        + coding.arguments(asIn: movie, stream, timeBase: "-1", threads: tools.threads)
        + ["/proc/self/fd/4"])
    if let folder {
      program.folder = folder.path
      program.readableFiles = [folder.path.appending(TableFolder.name)]
    }
    try withExtendedLifetime(folder) {
      try tools.run(program, [nil, nil, nil, input.descriptor, output.descriptor])
    }
    result.bytes = try movie.joined(
      original, withFramesOf: FileSystem.real.contents(of: output, limit: Self.largestVideo))
    return result
  }
}

extension Movie {
  /// The bytes of a movie with new frames, which keeps all but its frames.
  ///
  /// - Parameters:
  ///   - original: The bytes of this movie.
  ///   - rendered: The bytes of a movie with the new frames.
  /// - Throws: ``VideoFailure`` when one of them has what cannot be followed.
  func joined(_ original: [UInt8], withFramesOf rendered: [UInt8]) throws(VideoFailure) -> [UInt8] {
    guard let bytes = MovieSplice.bytes(of: original, withVideoOf: rendered),
      let made = Movie(in: 0..<bytes.count, { bytes.bytes(at: $0, count: $1) }),
      made.contentIdentifier == contentIdentifier,
      made.stillImageTime == stillImageTime, made.tracks.count == tracks.count
    else { throw .unsupported("its tracks cannot be joined with new frames") }
    // Frames that no edit of the movie shows are not in the new one.
    guard let count = made.video?.sampleCount, (1...max(video?.sampleCount ?? 1, 1)).contains(count)
    else { throw .unsupported("its frames cannot be read") }
    return bytes
  }
}
