import Foundation

/// The program ffmpeg, which edits videos and makes those that tests edit.
package enum FFmpeg {
  package static let isInstalled =
    (try? FinishedProcess(["sh", "-c", "command -v ffmpeg && command -v ffprobe"]).status) == 0

  /// Runs ffmpeg and returns what it prints.
  @discardableResult
  package static func run(_ arguments: [String]) throws -> Data {
    try FinishedProcess(["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments).output
  }

  /// The pixels of a picture, or of a frame of a video, as codes of red, green and blue, row after row.
  ///
  /// - Parameter frame: Its number among the video's frames.
  package static func pixels(of path: String, frame: Int = 0) throws -> [UInt8] {
    [UInt8](
      try run([
        "-i", path, "-map", "0:v:0", "-vf",
        "select=eq(n\\,\(frame)),scale=flags=accurate_rnd+full_chroma_int",
        "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]))
  }

  /// What ffprobe says of the streams of a file, line by line.
  package static func facts(_ entries: String, of path: String) throws -> [String] {
    let text = try FinishedProcess([
      "ffprobe", "-v", "error", "-show_entries", entries, "-of", "csv=p=0", path,
    ]).text
    return text.split(separator: "\n").map(String.init)
  }

  /// Makes a movie of a Live Photo: half a second of a picture that is another one in each corner, with sound.
  ///
  /// - Parameters:
  ///   - path: Where it goes; the name ends in `.mov`.
  ///   - identifier: Its content identifier.
  ///   - isLate: Whether the frames begin a fifth of a second after the sound.
  package static func makeMovie(
    at path: String, identifier: String, codec: String = "libx264", isLate: Bool = false
  ) throws {
    let picture = "testsrc2=size=192x144:rate=10:duration=0.5,gblur=sigma=3"
    try run(
      ["-copyts"] + (isLate ? ["-itsoffset", "0.2"] : []) + ["-f", "lavfi", "-i", picture]
        + ["-f", "lavfi", "-i", "sine=duration=0.7", "-c:v", codec, "-crf", "8"]
        + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "use_metadata_tags"]
        + ["-metadata", "com.apple.quicktime.content.identifier=\(identifier)", "-f", "mov", path])
  }
}
