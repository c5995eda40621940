import PhotoEditing
import SafelightArguments

/// A command that says how a photo's video is played. What it says is an adjustment of the photo's edit.
protocol VideoDataCommand: EditingCommand where Preparation == Void {
  /// The values of the adjustment `video` by option name.
  ///
  /// - Parameter video: The photo's video.
  func values(for video: PhotoVideo) throws(OperationError) -> [(option: String, value: JSONValue)]
}

extension VideoDataCommand {
  func prepare(for photos: [FilePath]) {}

  func work(on task: PhotoTask<Void>) async throws(EditError) -> PhotoResult {
    guard let video = try await task.editor.video(of: task.photo) else {
      throw .noVideo(task.path)
    }
    let operation: EditOperation
    do throws(OperationError) {
      let members = try values(for: video).map { JSONValue.Member($0.option, $0.value) }
      operation = try EditOperation("adjust", [.init("values", .object(members))])
    } catch {
      throw .invalidOperation(error)
    }
    return try await task.perform(operation, quality: quality, dryRun: dryRun)
  }
}

/// `edit live mute`: takes the sound out of edited videos.
struct MuteVideoCommand: VideoDataCommand {
  static let words = ["live", "mute"]
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Take the sound out of the edited videos of photos.",
    discussion: """
      The sound is not in the edited video; the camera's video keeps it. It is an adjustment of the photo's \
      edit, “edit adjust --video-muted true”, with history and undo. “edit live unmute” brings the sound back.

      Example:
        edit live mute IMG_1.HEIC
      """)

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func values(for video: PhotoVideo) -> [(option: String, value: JSONValue)] {
    [("video-muted", .bool(true))]
  }
}

/// `edit live unmute`: gives edited videos their sound again.
struct UnmuteVideoCommand: VideoDataCommand {
  static let words = ["live", "unmute"]
  static let configuration = CommandConfiguration(
    commandName: "unmute",
    abstract: "Give the edited videos of photos their sound again.",
    discussion: """
      Example:
        edit live unmute IMG_1.HEIC
      """)

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func values(for video: PhotoVideo) -> [(option: String, value: JSONValue)] {
    [("video-muted", .bool(false))]
  }
}

/// `edit live trim`: plays a part of edited videos.
struct TrimVideoCommand: VideoDataCommand {
  static let words = ["live", "trim"]
  static let configuration = CommandConfiguration(
    commandName: "trim",
    abstract: "Play only a part of the edited videos of photos.",
    discussion: """
      Times are in seconds of the camera's video. No frame is coded again for it, and the frames that are \
      trimmed stay in the file: what nobody may see must not be in a video that is passed on. It is an \
      adjustment of the photo's edit, “edit adjust --video-start 0.5 --video-end 2”, with history and undo.

      Example:
        edit live trim IMG_1.HEIC --from 0.5 --to 2
        edit live trim IMG_1.HEIC --none
      """)

  @Option(help: ArgumentHelp("Where the video begins to play.", valueName: "seconds"))
  var from: Double?

  @Option(help: ArgumentHelp("Where the video ends.", valueName: "seconds"))
  var to: Double?

  @Flag(help: "Play the whole video again.")
  var none = false

  @OptionGroup var rendering: RenderingOptions
  @OptionGroup var whole: BatchWideOptions

  func validate() throws {
    if none, from != nil || to != nil {
      throw ValidationError("--none plays the whole video; leave --from and --to out.")
    }
    if !none, from == nil, to == nil {
      throw ValidationError("Say what to play, with --from or --to, or --none for the whole video.")
    }
    for (name, value) in [("--from", from), ("--to", to)] {
      if let value, !(0...3600).contains(value) {
        throw UsageError.outOfRange(value, option: name, range: 0...3600)
      }
    }
    if to == 0 || to.map({ $0 <= from ?? 0 }) == true {
      throw ValidationError("--to must be after --from.")
    }
  }

  func values(
    for video: PhotoVideo
  ) throws(OperationError) -> [(option: String, value: JSONValue)] {
    let (start, end) = (from ?? 0, to ?? 0)
    if start >= video.duration {
      let seconds = JSONValue.number((video.duration * 100).rounded() / 100).text
      throw .contradiction("The video is only \(seconds) s long.", of: "adjust")
    }
    return [("video-start", .number(start)), ("video-end", .number(end))]
  }
}
