/// What is played of the video that was taken with the photo. It changes no pixel of the still.
///
/// The video's own time begins with 0. The sound of a muted video is not in the edited video's file; frames that are trimmed
/// are not shown, but stay in it.
public struct Video: Adjustment {
  public static let id = "video"
  public static let version = 1
  public static let group = AdjustmentGroup.video
  public static let summary = "Mutes and trims the video of a Live Photo or a motion photo."
  public static let parameters: [Parameter<Self>] = [
    Parameter(\.muted, "muted", summary: "Whether the video has no sound."),
    Parameter(
      \.start, "start", range: 0...3600, unit: .seconds, summary: "Where the video begins to play."),
    Parameter(
      \.end, "end", range: 0...3600, unit: .seconds,
      summary: "Where the video ends; 0 is its own end."),
  ]

  /// Whether the video has no sound.
  public var muted = false
  /// Where the video begins to play, in seconds of its own time.
  public var start = 0.0
  /// Where the video ends, in seconds of its own time; 0 is its own end.
  public var end = 0.0

  /// Changes nothing.
  public init() {}
}
