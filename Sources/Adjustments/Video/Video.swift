/// Which part of a Live Photo's or motion photo's video is played, and whether with sound. The still keeps every pixel.
///
/// Times count from the first frame of the camera's video. A muted video has no sound in the edited video's file. Frames
/// before ``start`` and after ``end`` are not played, but stay in that file.
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
  /// When playing begins, in seconds from the first frame of the camera's video, 0 to 3600.
  public var start = 0.0
  /// When playing ends, in seconds from the first frame of the camera's video, 0 to 3600; 0 plays to the last frame.
  public var end = 0.0

  /// Changes nothing.
  public init() {}
}
