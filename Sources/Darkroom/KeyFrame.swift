import FoundationEssentials
import SafelightFiles
import SafelightFormats
import SafelightProcesses
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
    guard let ffmpeg = ConfinedProgram.find("ffmpeg", in: path),
      let ffprobe = ConfinedProgram.find("ffprobe", in: path)
    else { throw VideoFailure.noProgram }
    let input = try Self.memory("safelight-video")
    try FileSystem.real.write(bytes, to: input)
    let stream = try StreamFacts(probe(ffprobe, input))
    if ["smpte2084", "arib-std-b67"].contains(stream["color_transfer"]) {
      throw VideoFailure.unsupported("its colors are of high dynamic range")
    }
    // Frames that no edit of the movie shows are marked “D”, to be dropped.
    let packets = try ask(
      ffprobe, of: input, "packet=pts_time,flags", as: "csv=p=0", limit: 16 << 20)
    let times = packets.split(separator: "\n").compactMap { line -> Double? in
      let parts = line.split(separator: ",")
      guard parts.count >= 2, !parts[1].contains("D") else { return nil }
      return Double(String(parts[0]))
    }.sorted()
    let time: Double
    switch place {
    // Times are said with three digits at least.
    case .time(let wanted): time = times.last { $0 <= wanted + 0.0006 } ?? times.first ?? -1
    case .frame(let number): time = times.indices.contains(number) ? times[number] : -1
    }
    guard time >= 0 else { throw VideoFailure.unsupported("it has no such frame") }
    let filters =
      ["select=gte(t\\,\((time - 0.0005).decimal(digits: 6)))"]
      + stream.filtersToColors(height: movie.size?.height ?? 0) + ["setsar=1"]
    let output = try Self.memory("safelight-frame")
    var program = ConfinedProgram(
      ffmpeg,
      arguments: [
        "ffmpeg", "-nostdin", "-v", "error", "-xerror", "-y", "-copyts", "-threads",
        "\(darkroom.threads ?? 0)", "-protocol_whitelist", "file", "-f", "mov", "-i",
        "/proc/self/fd/3", "-map", "0:v:0", "-vf",
        filters.joined(separator: ","),
        "-frames:v", "1", "-fps_mode", "passthrough", "-c:v", "png", "-pix_fmt", "rgb24", "-f",
        "image2pipe", "/proc/self/fd/4",
      ])
    try run(&program, [nil, nil, nil, input.descriptor, output.descriptor])
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
