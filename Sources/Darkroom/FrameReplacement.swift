import Glibc
import SafelightFiles
import SafelightFormats
import SafelightProcesses
import SafelightRendering

/// Gives a video other frames, which somebody makes of its present ones, one after the other.
///
/// One ffmpeg decodes the frames, another one codes the new ones as the camera did; both have no rights, see
/// `ConfinedProgram`. Between them this process has two frames in memory. All but the frames stays as it is, byte for byte,
/// and each new frame is shown when the one was that it is made of.
package struct FrameReplacement {
  private let darkroom: PhotoDarkroom
  private let cancellation: RenderCancellation?
  /// The folders in which ffmpeg is looked for, with colons; `nil` are those of `PATH`.
  package var searchPath: String?

  /// - Parameters:
  ///   - darkroom: Says what a video may take; each frame may take as long as a photo.
  ///   - cancellation: Ends the work early.
  package init(_ darkroom: PhotoDarkroom, cancellation: RenderCancellation? = nil) {
    (self.darkroom, self.cancellation) = (darkroom, cancellation)
  }

  /// Replaces the frames of a video.
  ///
  /// - Parameters:
  ///   - original: The bytes of the whole movie.
  ///   - limit: Frames that are larger come smaller, with even sides; `nil` is their own size.
  ///   - draw: Makes a frame of an upright one, in the 8-bit codes that the video's colors have as red, green and blue, and
  ///     of its time in seconds from the video's beginning. All new frames have the size of the first one. Codings need even
  ///     sides: an odd one loses its last column or row.
  /// - Returns: The bytes of the new movie.
  /// - Throws: ``VideoFailure``, `CancellationError`, or what `draw` throws.
  package func video(
    of original: [UInt8], fitting limit: PixelSize? = nil,
    _ draw: (DisplayPixels, _ time: Double) throws -> DisplayPixels
  ) throws -> [UInt8] {
    do {
      return try replaced(original, fitting: limit, draw)
    } catch let error as FileSystemError {
      throw VideoFailure(error)
    } catch let error as SystemCallError {
      throw error.code == ETIMEDOUT ? VideoFailure.tookTooLong : .failed(error.reason)
    }
  }

  private func replaced(
    _ original: [UInt8], fitting limit: PixelSize?,
    _ draw: (DisplayPixels, _ time: Double) throws -> DisplayPixels
  ) throws -> [UInt8] {
    guard let movie = Movie(in: 0..<original.count, { original.bytes(at: $0, count: $1) }),
      let video = movie.video, let size = movie.size, size.width > 1, size.height > 1
    else { throw VideoFailure.unsupported("it is no movie that can be read") }
    let tools = try VideoTools(darkroom, cancellation, in: searchPath)
    let (input, stream) = try tools.open(original)
    let (coding, pixelFormat) = try stream.coding(named: video.coding)
    let times = try FrameTimes(of: input, by: tools)
    let colors = FrameColors(stream, height: size.height)
    let shown = Self.size(PixelSize(width: size.width, height: size.height), fitting: limit)

    let (source, decoded) = try ByteSocket.pair()
    let decoder = try tools.start(
      tools.converter(
        from: VideoTools.movieInput,
        to: [
          "-vf",
          (colors.decoding
            + ["scale=\(shown.width):\(shown.height):flags=bicubic+accurate_rnd", "format=rgb24"])
            .joined(separator: ","), "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f",
          "rawvideo", "pipe:4",
        ]), [nil, nil, nil, input.descriptor, decoded.descriptor])
    decoded.end()
    let output = try VideoTools.memory("safelight-frames")
    var encoder: (tool: RunningTool, frames: ByteSocket, size: PixelSize)?
    for index in times.ticks.indices {
      guard let frame = try read(shown, from: source) else {
        try decoder.finish()
        throw VideoFailure.unsupported("its frames cannot be read")
      }
      let drawn = try draw(frame, times.seconds(at: index))
      let size = PixelSize(width: drawn.width, height: drawn.height)
      let (tool, frames, first) =
        try encoder
        ?? startEncoder(of: size, rate: times.rate, to: output, tools) {
          ["-vf", Self.filters(size, times, colors, pixelFormat)]
            + coding.arguments(
              asIn: movie, stream, timeBase: times.timeBase, threads: tools.threads)
            + ["/proc/self/fd/4"]
        }
      encoder = (tool, frames, first)
      precondition(size == first, "All frames of a video have one size.")
      try write(drawn, to: frames, of: tool)
    }
    guard let encoder else { throw VideoFailure.unsupported("its frames cannot be read") }
    encoder.frames.end()
    source.end()
    try encoder.tool.finish()
    let rendered = try FileSystem.real.contents(of: output, limit: VideoRenderer.largestVideo)
    let bytes = try movie.joined(original, withFramesOf: rendered)
    let made = Movie(in: 0..<bytes.count, { bytes.bytes(at: $0, count: $1) })
    guard made?.video?.sampleCount == times.ticks.count else {
      throw VideoFailure.failed("frames are missing")
    }
    return bytes
  }

  private func isCancelled() -> Bool { cancellation?.isCancelled == true }

  /// Reads a frame; `nil` where there is no whole one.
  private func read(_ size: PixelSize, from source: ByteSocket) throws -> DisplayPixels? {
    let count = size.width * size.height * 3
    do {
      var failure: SystemCallError?
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
        do throws(SystemCallError) {
          written = try source.read(
            into: UnsafeMutableRawBufferPointer(buffer), within: darkroom.timeLimit,
            unless: isCancelled)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      guard bytes.count == count else { return nil }
      return DisplayPixels(width: size.width, height: size.height, bytes: bytes)
    } catch let error as SystemCallError where error.code == ECANCELED {
      throw CancellationError()
    }
  }

  /// Writes a frame.
  private func write(_ frame: DisplayPixels, to frames: ByteSocket, of tool: RunningTool) throws {
    do {
      try frame.bytes.withUnsafeBytes { bytes in
        try frames.write(bytes, within: darkroom.timeLimit, unless: isCancelled)
      }
    } catch let error as SystemCallError where error.code == EPIPE {
      // The program says why it ended.
      try tool.finish()
      throw VideoFailure.failed("it ended early")
    } catch let error as SystemCallError where error.code == ECANCELED {
      throw CancellationError()
    }
  }

  /// Starts the program that codes frames.
  ///
  /// - Parameters:
  ///   - rate: How many come in a second.
  ///   - file: Where the movie goes.
  ///   - output: What says what becomes of them.
  private func startEncoder(
    of size: PixelSize, rate: String, to file: OpenFile, _ tools: VideoTools,
    _ output: () -> [String]
  ) throws -> (RunningTool, ByteSocket, PixelSize) {
    guard size.width > 1, size.height > 1 else {
      throw VideoFailure.unsupported("a frame has at least two columns and two rows")
    }
    let (frames, read) = try ByteSocket.pair()
    defer { read.end() }
    let tool = try tools.start(
      tools.converter(
        from: [
          "-protocol_whitelist", "pipe", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
          "\(size.width)x\(size.height)", "-framerate", rate, "-i", "pipe:3",
        ], to: output()), [nil, nil, nil, read.descriptor, file.descriptor])
    return (tool, frames, size)
  }

  /// What becomes of a frame before it is coded.
  private static func filters(
    _ size: PixelSize, _ times: FrameTimes, _ colors: FrameColors, _ pixelFormat: String
  ) -> String {
    let (width, height) = (size.width & ~1, size.height & ~1)
    let filters =
      ["crop=\(width):\(height):0:0:exact=1", "setsar=1"] + times.filters + colors.encoding
      + ["format=\(pixelFormat)"]
    return filters.joined(separator: ",")
  }

  /// The size of a frame that lies inside of another size, with even sides.
  private static func size(_ size: PixelSize, fitting limit: PixelSize?) -> PixelSize {
    guard let limit else { return size }
    let scale = min(
      Double(limit.width) / Double(size.width), Double(limit.height) / Double(size.height))
    guard scale < 1 else { return size }
    func side(_ length: Int) -> Int { max(2, Int((Double(length) * scale).rounded(.down)) & ~1) }
    return PixelSize(width: side(size.width), height: side(size.height))
  }
}
