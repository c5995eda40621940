import Foundation
import SafelightFiles
import SafelightFormats
import SafelightProcesses
import SafelightTestSupport
import Testing

@testable import SafelightDarkroom
@testable import SafelightRendering

/// Frames that somebody makes of a video's frames.
@Suite(.enabled(if: FFmpeg.isInstalled)) struct FrameReplacementTests {
  private let folder = TemporaryFolder()
  private let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"

  private struct Refusal: Error {}

  private func movie(codec: String = "libx264", isLate: Bool = false) throws -> FilePath {
    let path = folder["in.mov"]
    try FFmpeg.makeMovie(at: path.string, identifier: identifier, codec: codec, isLate: isLate)
    return path
  }

  private func replace(
    _ path: FilePath, by replacement: FrameReplacement = FrameReplacement(PhotoDarkroom()),
    fitting limit: PixelSize? = nil,
    _ draw: (DisplayPixels, Double) throws -> DisplayPixels = { frame, _ in frame }
  ) throws -> [UInt8] {
    try replacement.video(of: try #require(path.contents), fitting: limit, draw)
  }

  private func facts(_ path: FilePath, _ entries: String, _ stream: String) throws -> [String] {
    try FinishedProcess([
      "ffprobe", "-v", "error", "-select_streams", stream, "-show_data_hash", "md5",
      "-show_entries", entries, "-of", "csv=p=0", path.string,
    ]).text.split(whereSeparator: { ",\n".contains($0) }).map(String.init)
  }

  private static func inverted(_ frame: DisplayPixels) -> DisplayPixels {
    DisplayPixels(width: frame.width, height: frame.height, bytes: frame.bytes.map { 255 - $0 })
  }

  @Test(arguments: ["libx264", "libx265"], [false, true])
  func allButTheFramesStays(codec: String, isLate: Bool) throws {
    let path = try movie(codec: codec, isLate: isLate)
    var times: [Double] = []
    let bytes = try replace(path) { frame, time in
      times.append(time)
      #expect((frame.width, frame.height) == (192, 144))
      return Self.inverted(frame)
    }
    let result = folder["out.mov"]
    result.write(bytes)
    let shown = try facts(path, "frame=best_effort_timestamp_time", "v").compactMap { Double($0) }
    #expect(times.count == 5 && zip(times, shown).allSatisfy { abs($0 - $1) < 1e-6 })
    for (entries, stream) in [
      ("frame=best_effort_timestamp_time", "v"), ("packet=pts_time,size", "a"),
      ("packet=data_hash", "a"), ("stream=codec_name,time_base,duration", "v"),
    ] {
      let before = try facts(path, entries, stream)
      #expect(try facts(result, entries, stream) == before && !before.isEmpty, "\(entries)")
    }
    let video = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(video.contentIdentifier == identifier && video.hasSound)
    for frame in [0, 4] {
      let (old, new) = (
        try FFmpeg.pixels(of: path.string, frame: frame),
        try FFmpeg.pixels(of: result.string, frame: frame)
      )
      let apart = zip(old, new).reduce(0) { $0 + abs(255 - Int($1.0) - Int($1.1)) }
      #expect(Double(apart) / Double(old.count) < 3, "\(frame)")
    }
  }

  /// What nobody draws anew is nearly what it was.
  @Test func framesThatStayAreNearlyAsBefore() throws {
    let path = try movie()
    let result = folder["out.mov"]
    result.write(try replace(path))
    let (old, new) = (
      try FFmpeg.pixels(of: path.string, frame: 3), try FFmpeg.pixels(of: result.string, frame: 3)
    )
    #expect(zip(old, new).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } < 2 * old.count)
  }

  /// Phones take frames at uneven distances.
  @Test func unevenTimesStay() throws {
    let path = folder["in.mov"]
    try FFmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=192x144:rate=30:duration=2", "-vf",
      "settb=1/600,setpts='20*N+mod(N*N\\,7)+if(gt(N\\,40)\\,90\\,0)'", "-fps_mode", "passthrough",
      "-enc_time_base", "1:600", "-video_track_timescale", "600", "-pix_fmt", "yuv420p", "-c:v",
      "libx264", "-f", "mov", path.string,
    ])
    let result = folder["out.mov"]
    result.write(try replace(path))
    let before = try facts(path, "frame=best_effort_timestamp", "v")
    #expect(before.count == 60 && Set(zip(before, before.dropFirst()).map { $0 + $1 }).count > 9)
    #expect(try facts(result, "frame=best_effort_timestamp", "v") == before)
  }

  /// Frames are handed out upright, and the new ones need no turn.
  @Test func framesAreUpright() throws {
    let path = try movie()
    var bytes = try #require(path.contents)
    bytes = try #require(MovieTurn.bytes(of: bytes, byQuarterTurns: 1))
    path.write(bytes)
    let made = try replace(path) { frame, _ in
      #expect((frame.width, frame.height) == (144, 192))
      return frame
    }
    let video = try #require(Movie(in: 0..<made.count) { made.bytes(at: $0, count: $1) })
    #expect(
      video.video?.quarterTurns == 0 && video.size.map { [$0.width, $0.height] } == [144, 192])
  }

  @Test func framesMayHaveAnotherSize() throws {
    let path = try movie()
    let odd = try replace(path) { frame, _ in
      DisplayPixels(width: 101, height: 51, bytes: [UInt8](repeating: 90, count: 101 * 51 * 3))
    }
    let video = try #require(Movie(in: 0..<odd.count) { odd.bytes(at: $0, count: $1) })
    #expect(video.size.map { [$0.width, $0.height] } == [100, 50])
    let small = try replace(path, fitting: PixelSize(width: 100, height: 100)) { frame, _ in
      #expect((frame.width, frame.height) == (100, 74))
      return frame
    }
    let other = try #require(Movie(in: 0..<small.count) { small.bytes(at: $0, count: $1) })
    #expect(other.size.map { [$0.width, $0.height] } == [100, 74])
    #expect(throws: VideoFailure.unsupported("a frame has at least two columns and two rows")) {
      try replace(path) { _, _ in DisplayPixels(width: 1, height: 1, bytes: [0, 0, 0]) }
    }
  }

  @Test func anErrorOfTheCallerEndsIt() throws {
    let path = try movie()
    var count = 0
    #expect(throws: Refusal.self) {
      try replace(path) { frame, _ in
        count += 1
        if count == 3 { throw Refusal() }
        return frame
      }
    }
    #expect(count == 3)
  }

  @Test func itEndsWhenItIsCancelledAndInTime() throws {
    let path = try movie()
    let cancellation = RenderCancellation()
    #expect(throws: CancellationError.self) {
      try replace(path, by: FrameReplacement(PhotoDarkroom(), cancellation: cancellation)) {
        frame, _ in
        cancellation.cancel()
        return frame
      }
    }
    var darkroom = PhotoDarkroom()
    darkroom.timeLimit = .zero
    #expect(throws: VideoFailure.failed("it took too long")) {
      try replace(path, by: FrameReplacement(darkroom))
    }
    var poor = FrameReplacement(PhotoDarkroom())
    poor.searchPath = ""
    #expect(throws: VideoFailure.noProgram) { try replace(path, by: poor) }
  }

  @Test func damagedFramesAreAFailure() throws {
    let path = try movie()
    var bytes = try #require(path.contents)
    for place in 48..<2000 { bytes[place] = 0x55 }
    path.write(bytes)
    #expect(throws: VideoFailure.self) { try replace(path) }
  }
}

/// What is read of the times of frames.
@Suite struct FrameTimesTests {
  @Test func timesAreReadAndWritten() throws {
    let text = """
      #software: Lavf
      #tb 0: 1/600
      0,          0,         12,        1,      768, 0x1234
      0,         20,         32,        1,      768, 0x1234
      0,         52,         52,        1,      768, 0x1234
      0,         60,         61,        1,      768, 0x1234

      """
    let times = try FrameTimes(text)
    #expect(times.ticks == [12, 32, 52, 61] && times.timeBase == "1/600")
    #expect(times.rate == "1800/49")
    #expect(abs(times.seconds(at: 3) - 61.0 / 600) < 1e-12)
    #expect(
      times.filters == ["settb=1/600", "setpts='if(lt(N,3),12+(N-0)*20,61+(N-3)*0)'"])
  }

  @Test(arguments: [
    "", "#tb 0: 1/600\n", "0, 0, 1\n", "#tb 0: 1/600\n0, 0, 5\n0, 0, 5\n", "#tb 0: 0/0\n0, 0, 1",
  ])
  func whatMakesNoTimesIsRefused(_ text: String) {
    #expect(throws: VideoFailure.self) { try FrameTimes(text) }
  }
}

/// A stream of bytes between two ends.
@Suite struct ByteSocketTests {
  @Test func bytesArriveInOrderUntilTheEnd() throws {
    let (near, other) = try ByteSocket.pair()
    nonisolated(unsafe) let far = other
    let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let writer = Thread {
      try? sent.withUnsafeBytes { try far.write($0, within: .seconds(20)) { false } }
      far.end()
    }
    writer.start()
    var received = [UInt8](repeating: 0, count: 400_000)
    let count = try received.withUnsafeMutableBytes {
      try near.read(into: $0, within: .seconds(20)) { false }
    }
    #expect(Array(received.prefix(count)) == sent)
    let error = #expect(throws: SystemCallError.self) {
      try sent.withUnsafeBytes { try near.write($0, within: .seconds(20)) { false } }
    }
    #expect(error?.code == EPIPE)
  }

  @Test func waitingEnds() throws {
    let (near, far) = try ByteSocket.pair()
    var byte: [UInt8] = [0]
    let late = #expect(throws: SystemCallError.self) {
      try byte.withUnsafeMutableBytes { try near.read(into: $0, within: .zero) { false } }
    }
    #expect(late?.code == ETIMEDOUT)
    let cancelled = #expect(throws: SystemCallError.self) {
      try byte.withUnsafeMutableBytes { try near.read(into: $0, within: nil) { true } }
    }
    #expect(cancelled?.code == ECANCELED)
    withExtendedLifetime(far) {}
  }
}
