import SafelightAdjustments
import SafelightFormats
import SafelightRendering

/// What an edit says of how its photo's video is played: which part, and whether with sound.
package struct VideoTrim: Sendable {
  private let video: Video

  /// - Throws: `RenderError` when a newer program said it.
  package init(_ stack: EditStack) throws(RenderError) {
    do throws(AdjustmentError) {
      video = try stack.adjustment(Video.self)
    } catch {
      throw .failed(detail: error.description)
    }
  }

  /// Whether the whole video is played.
  package var isNothing: Bool { video.isNeutral }

  /// When the still was taken in the trimmed video, in seconds.
  ///
  /// - Parameters:
  ///   - time: When it was taken, in seconds of the whole video.
  ///   - duration: How long the whole video is, in seconds.
  package func stillImageTime(_ time: Double, of duration: Double) -> Double {
    // A file may say a moment that its video does not have.
    guard video.start > 0 || video.end > 0 else { return time }
    let end = video.end > 0 ? min(video.end, duration) : duration
    return MovieTrim.stillImageTime(time, from: video.start, to: end)
  }

  /// Whether the moment in which the still was taken is trimmed.
  ///
  /// - Parameter time: When it was taken, in seconds of the whole video.
  package func isOutside(_ time: Double) -> Bool {
    time < video.start || video.end > 0 && time > video.end
  }

  /// The trimmed video.
  ///
  /// - Throws: ``VideoFailure`` when nothing is left, or its tables cannot be followed.
  func bytes(of original: [UInt8]) throws(VideoFailure) -> [UInt8] {
    guard let movie = Movie(in: 0..<original.count, { original.bytes(at: $0, count: $1) }),
      video.start < (video.end > 0 ? min(video.end, movie.duration) : movie.duration)
    else { throw .unsupported("nothing would be left between its trimmed ends") }
    let trimmed = MovieTrim.bytes(
      of: original, from: video.start, to: video.end > 0 ? video.end : nil, isMuted: video.muted)
    guard let trimmed else { throw .unsupported("its tracks cannot be trimmed or muted") }
    return trimmed
  }
}
