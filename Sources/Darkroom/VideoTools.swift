import Glibc
import SafelightFiles
import SafelightFormats
import SafelightProcesses
import SafelightRendering

/// The programs ffmpeg and ffprobe, which read and write the frames of videos without any rights; see `ConfinedProgram`.
struct VideoTools {
  let darkroom: PhotoDarkroom
  let cancellation: RenderCancellation?
  private let ffmpeg: FilePath
  private let ffprobe: FilePath

  /// Finds the programs.
  ///
  /// - Parameters:
  ///   - darkroom: Says what a video may take.
  ///   - cancellation: Ends the work early.
  ///   - path: The folders to look in, with colons; `nil` are those of `PATH`.
  init(
    _ darkroom: PhotoDarkroom, _ cancellation: RenderCancellation?, in path: String?
  ) throws(VideoFailure) {
    guard let ffmpeg = ConfinedProgram.find("ffmpeg", in: path),
      let ffprobe = ConfinedProgram.find("ffprobe", in: path)
    else { throw .noProgram }
    (self.darkroom, self.cancellation) = (darkroom, cancellation)
    (self.ffmpeg, self.ffprobe) = (ffmpeg, ffprobe)
  }

  /// How many threads the programs have, as they take it; 0 is as many as there are processors.
  var threads: String { "\(darkroom.threads ?? 0)" }

  /// An ffmpeg that makes frames of frames.
  ///
  /// - Parameters:
  ///   - input: What says where frames come from.
  ///   - output: What says what becomes of them, and where they go.
  func converter(from input: [String], to output: [String]) -> ConfinedProgram {
    ConfinedProgram(
      ffmpeg,
      arguments: [
        "ffmpeg", "-nostdin", "-v", "error", "-xerror", "-y", "-copyts", "-filter_threads", threads,
        "-threads", threads,
      ] + input + [
        "-map", "0:v:0", "-an", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
      ] + output)
  }

  /// What names a movie that is open as 3.
  static let movieInput = ["-protocol_whitelist", "file", "-f", "mov", "-i", "/proc/self/fd/3"]

  /// A movie that the programs can read, with what ffprobe says of its first video stream.
  ///
  /// - Parameter movie: The bytes of the whole movie.
  /// - Throws: ``VideoFailure``, also for colors of a high dynamic range, or `CancellationError`.
  func open(_ movie: [UInt8]) throws -> (input: OpenFile, stream: StreamFacts) {
    let input = try Self.memory("safelight-video")
    try FileSystem.real.write(movie, to: input)
    let stream = try facts(of: input)
    try stream.checkRange()
    return (input, stream)
  }

  /// What ffprobe says of the first video stream.
  private func facts(of input: OpenFile) throws -> StreamFacts {
    let said = try Self.memory("safelight-facts")
    let entries =
      "codec_name,pix_fmt,color_range,color_space,color_transfer,color_primaries"
    let program = ConfinedProgram(
      ffprobe,
      arguments: [
        "ffprobe", "-v", "error", "-protocol_whitelist", "file", "-f", "mov", "-select_streams",
        "v:0", "-show_entries", "stream=\(entries)", "-of", "default=noprint_wrappers=1",
        "/proc/self/fd/3",
      ])
    try run(program, [nil, said.descriptor, nil, input.descriptor])
    return StreamFacts(
      String(decoding: try FileSystem.real.contents(of: said, limit: 65_536), as: UTF8.self))
  }

  /// A file in memory, for what a program reads or writes.
  static func memory(_ name: String) throws -> OpenFile {
    guard let file = OpenFile.ofMemory(name) else {
      throw VideoFailure.failed("there is no memory for it")
    }
    return file
  }

  /// Runs a program to its end.
  func run(_ program: ConfinedProgram, _ files: [Int32?]) throws {
    try start(program, files).finish()
  }

  /// Starts a program, which ends with the object that it gives.
  ///
  /// - Parameter files: What the program has open as 0, 1, 2 and so on; what it says goes where ``RunningTool`` reads it.
  func start(_ program: ConfinedProgram, _ files: [Int32?]) throws -> RunningTool {
    var program = program
    let errors = OpenFile.ofMemory("safelight-errors")
    program.files = files
    program.files[2] = errors?.descriptor
    program.memoryLimit = darkroom.memoryLimit
    program.outputLimit = VideoRenderer.largestVideo
    do throws(SystemCallError) {
      return RunningTool(
        try program.start(requiring: [.files, .calls]), errors, within: darkroom.timeLimit,
        cancellation)
    } catch {
      throw error.code == ENOSYS ? VideoFailure.unconfined : .failed(error.reason)
    }
  }
}

/// A program that runs, and is killed where nobody waits for its end. For use by one thread at a time.
final class RunningTool {
  private let process: ChildProcess
  private let errors: OpenFile?
  private let limit: Duration?
  private let cancellation: RenderCancellation?

  init(
    _ process: ChildProcess, _ errors: OpenFile?, within limit: Duration?,
    _ cancellation: RenderCancellation?
  ) {
    (self.process, self.errors) = (process, errors)
    (self.limit, self.cancellation) = (limit, cancellation)
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.reap()
  }

  /// Waits for the program's end.
  ///
  /// - Throws: ``VideoFailure`` when it failed or took too long from now on, or `CancellationError`.
  func finish() throws {
    let end = process.finish(within: limit) { cancellation?.isCancelled == true }
    if cancellation?.isCancelled == true { throw CancellationError() }
    if end == .exit(code: 0) { return }
    guard let end else { throw VideoFailure.tookTooLong }
    // The file may put anything into what the program says.
    let said = errors.flatMap(ChildProcess.lastLine).map { line in
      String(line.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }.map(Character.init))
    }
    switch end {
    case .exit(let code): throw VideoFailure.failed(said ?? "exit code \(code)")
    case .signal(let number): throw VideoFailure.failed(said ?? "signal \(number)")
    }
  }
}

/// What ffprobe says of a stream, by its own names.
struct StreamFacts {
  private var values: [String: String] = [:]

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      // Words that go into arguments have letters, digits and hyphens.
      guard parts.count == 2, parts[1] != "unknown",
        parts[1].utf8.allSatisfy({
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        })
      else { continue }
      values[parts[0]] = parts[1]
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// Whether the codes of brightness go from 0 to the largest one.
  var isFullRange: Bool {
    values["color_range"] == "pc" || values["pix_fmt"]?.hasPrefix("yuvj") == true
  }

  /// The pixels of new frames: 4:2:0 in as many bits as the camera's; `nil` for what no phone writes.
  var pixelFormat: String? {
    switch values["pix_fmt"] {
    case "yuv420p", "yuvj420p", "nv12": "yuv420p"
    case "yuv420p10le": "yuv420p10le"
    default: nil
    }
  }
}

/// How new frames are coded: as the camera's.
struct FrameCoding {
  private let options: [String]

  init?(codec: String) {
    switch codec {
    case "h264": options = ["-c:v", "libx264", "-preset", "medium", "-crf", "17"]
    case "hevc":
      options = [
        "-c:v", "libx265", "-preset", "fast", "-crf", "18", "-tag:v", "hvc1", "-x265-params",
        "log-level=error",
      ]
    default: return nil
    }
  }

  private func arguments(_ stream: StreamFacts) -> [String] {
    var arguments = options
    for (name, option) in [
      ("color_space", "-colorspace"), ("color_transfer", "-color_trc"),
      ("color_primaries", "-color_primaries"),
    ] {
      if let value = stream[name] { arguments += [option, value] }
    }
    return arguments + ["-color_range", stream.isFullRange ? "pc" : "tv"]
  }

  /// What makes a movie of new frames, whose track can stand in the place of the camera's.
  ///
  /// - Parameters:
  ///   - movie: The camera's.
  ///   - stream: What ffprobe says of it.
  ///   - timeBase: The unit of time of the new frames, as ffmpeg takes it.
  ///   - threads: How many threads code frames.
  func arguments(
    asIn movie: Movie, _ stream: StreamFacts, timeBase: String, threads: String
  ) -> [String] {
    arguments(stream) + [
      "-fps_mode", "passthrough", "-enc_time_base", timeBase, "-video_track_timescale",
      "\(max(movie.video?.timescale ?? 1, 1))", "-movie_timescale", "\(max(movie.timescale, 1))",
      "-threads", threads, "-f", movie.isQuickTime ? "mov" : "mp4",
    ]
  }
}

extension StreamFacts {
  /// The coding and the pixels of new frames, which are the camera's.
  ///
  /// - Parameter coding: The four letters that the movie has for them, for the error.
  /// - Throws: ``VideoFailure`` for what no phone writes.
  func coding(named coding: String) throws(VideoFailure) -> (FrameCoding, pixelFormat: String) {
    let name = self["codec_name"]
    guard let found = FrameCoding(codec: name ?? "") else {
      throw .unsupported("its frames are coded as \(name ?? coding)")
    }
    guard let pixelFormat else {
      throw .unsupported(
        self["pix_fmt"].map { "its pixels are \($0), and not 4:2:0 in 8 or 10 bits" }
          ?? "its frames cannot be read")
    }
    return (found, pixelFormat)
  }

  /// Throws for a video that an edit would darken or bleach.
  func checkRange() throws(VideoFailure) {
    if ["smpte2084", "arib-std-b67"].contains(self["color_transfer"]) {
      throw .unsupported("its colors are of high dynamic range")
    }
  }
}
