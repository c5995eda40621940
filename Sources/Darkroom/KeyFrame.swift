import FoundationEssentials
import SafelightFiles
import SafelightFormats
import SafelightRendering

/// Which frame of a video is taken.
package enum VideoPlace: Sendable, Hashable {
  /// The frame that is shown then, in seconds of the video.
  case time(Double)
  /// The frame of a number, from 0, in the order in which they are shown.
  case frame(Int)
}

/// One frame of a video.
package struct VideoFrame: Sendable {
  /// A PNG, upright, with 8 bits for a channel and its meaning.
  package let picture: [UInt8]
  /// When it begins to be shown, in seconds of the video.
  package let time: Double
}

extension VideoRenderer {
  /// Takes a frame out of a video.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the whole movie.
  ///   - place: Which frame.
  /// - Throws: ``VideoFailure``, or `CancellationError`.
  package func frame(of bytes: [UInt8], at place: VideoPlace) throws -> VideoFrame {
    guard let movie = Movie(in: 0..<bytes.count, { bytes.bytes(at: $0, count: $1) }) else {
      throw VideoFailure.unsupported("it is no movie that can be read")
    }
    let tools = try VideoTools(darkroom, cancellation, in: searchPath)
    let (input, stream) = try tools.open(bytes)
    let shown = try FrameTimes(of: input, by: tools)
    let times = shown.ticks.indices.map(shown.seconds)
    let time: Double
    switch place {
    // Times are said with three digits at least.
    case .time(let wanted): time = times.last { $0 <= wanted + 0.0006 } ?? times.first ?? -1
    case .frame(let number): time = times.indices.contains(number) ? times[number] : -1
    }
    guard time >= 0 else { throw VideoFailure.unsupported("it has no such frame") }
    let filters =
      ["select=gte(t\\,\((time - 0.0005).decimal(digits: 6)))"]
      + FrameColors(stream, height: movie.size?.height ?? 0).decoding + ["format=gbrp", "setsar=1"]
    let output = try VideoTools.memory("safelight-frame")
    try tools.run(
      tools.converter(
        from: VideoTools.movieInput,
        to: [
          "-vf", filters.joined(separator: ","), "-frames:v", "1", "-fps_mode", "passthrough",
          "-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2pipe", "/proc/self/fd/4",
        ]), [nil, nil, nil, input.descriptor, output.descriptor])
    let png = try FileSystem.real.contents(of: output, limit: Self.largestVideo)
    guard png.count > 33, png.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      throw VideoFailure.unsupported("its frames cannot be read")
    }
    // As a photo the frame has the colors of sRGB or of Display P3.
    var chunk = Array("cICP".utf8) + [stream["color_primaries"] == "smpte432" ? 12 : 1, 13, 0, 1]
    chunk.append(uint32: Int(Zlib.checksum(chunk[...])))
    return VideoFrame(picture: png[..<33] + [0, 0, 0, 4] + chunk + png[33...], time: time)
  }
}
