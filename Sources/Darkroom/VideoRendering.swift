import FoundationEssentials
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightProcesses
import SafelightRendering

/// A video with an edit.
package struct RenderedVideo: Sendable {
  /// The bytes of the edited video's file; `nil` where the edit leaves the video as it is.
  package var bytes: [UInt8]?
  /// The adjustments that the video does not have, because they need what is around a pixel.
  package var leftOut: [String] = []
  /// The adjustments that act as in an even area, because the video's colors know nothing of what is around them.
  package var simplified: [String] = []
  /// The mean error of the video's colors in CIEDE2000: those of a table, against the edit's.
  package var meanError = 0.0
}

/// Why a video has no edit. The video itself stays as it was.
package enum VideoFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no `ffmpeg` or `ffprobe` in `PATH`.
  case noProgram
  /// This computer cannot take away the program's rights, as by Landlock, so it is not run.
  case unconfined
  /// The edit starts from pixels that another program made, which the video does not have.
  case otherBase
  /// It has more bytes than ``VideoRenderer/largestVideo``.
  case tooLarge
  /// Its file cannot be read.
  case unreadable
  /// Safelight does not edit such videos; the text says which, as the end of a sentence.
  case unsupported(String)
  /// The program failed; the text is what it said last.
  case failed(String)

  package var description: String {
    switch self {
    case .noProgram: "there is no ffmpeg on this computer"
    case .unconfined: "ffmpeg only runs without rights, which needs Landlock and seccomp"
    case .otherBase: "the edit starts from another program's picture"
    case .tooLarge: "it has more than \(VideoRenderer.largestVideo >> 20) MB"
    case .unreadable: "it cannot be read"
    case .unsupported(let reason): reason
    case .failed(let detail): "ffmpeg failed: \(detail)"
    }
  }
}

/// Gives the frames of a Live Photo's video the edit of its still.
///
/// Quarter turns alone are what the movie says of its frames, which stay as they are. Anything else is done by the program
/// ffmpeg, which has no rights; see `ConfinedProgram`: geometry is one map of places, color a table of 33³ colors. All but
/// the frames stays as it is, byte for byte.
package struct VideoRenderer {
  let darkroom: PhotoDarkroom
  private let cancellation: RenderCancellation?
  /// The folders in which ffmpeg is looked for, with colons; `nil` are those of `PATH`.
  package var path: String?
  /// The folder in which the table of colors lies for a while; `nil` is that of `TMPDIR`, or `/tmp`.
  package var temporaryFolder: FilePath?

  /// The largest video that is edited, in bytes.
  package static let largestVideo = 256 << 20

  /// - Parameters:
  ///   - darkroom: Says what a video may take.
  ///   - cancellation: Ends the work early.
  package init(_ darkroom: PhotoDarkroom, cancellation: RenderCancellation? = nil) {
    (self.darkroom, self.cancellation) = (darkroom, cancellation)
  }

  /// Renders a video with an edit.
  ///
  /// - Parameters:
  ///   - file: The video, open.
  ///   - stack: The edit of its still.
  /// - Throws: ``VideoFailure``, `RenderError`, or `CancellationError`.
  package func render(_ file: OpenFile, edit stack: EditStack) throws -> RenderedVideo {
    let original: [UInt8]
    do throws(FileSystemError) {
      original = try FileSystem.real.contents(of: file, limit: Self.largestVideo)
    } catch {
      throw error.errno == EFBIG ? VideoFailure.tooLarge : .unreadable
    }
    return try render(original, edit: stack)
  }

  /// Renders a video with an edit.
  ///
  /// - Parameters:
  ///   - original: The bytes of the whole movie.
  ///   - stack: The edit of its still.
  ///   - stillTime: When the frame is shown that took the still's place, in seconds; `nil` when none did.
  /// - Throws: ``VideoFailure``, `RenderError`, or `CancellationError`.
  package func render(
    _ original: [UInt8], edit stack: EditStack, stillTime: Double? = nil
  ) throws -> RenderedVideo {
    do {
      var result = try rendered(original, edit: stack)
      let video = try VideoTrim(stack, stillTime: stillTime)
      if !video.isNothing { result.bytes = try video.bytes(of: result.bytes ?? original) }
      return result
    } catch let error as FileSystemError {
      // What fails here are files of the work, and not the photo's.
      let words = error.description
      throw VideoFailure.failed(words.hasSuffix(".") ? String(words.dropLast()) : words)
    }
  }

  private func rendered(_ original: [UInt8], edit stack: EditStack) throws -> RenderedVideo {
    guard let movie = Movie(in: 0..<original.count, { original.bytes(at: $0, count: $1) }),
      let video = movie.video, let size = movie.size, size.width > 1, size.height > 1
    else { throw VideoFailure.unsupported("it is no movie that can be read") }
    let movement = try FrameMovement(
      stack, of: PixelSize(width: size.width, height: size.height))
    if let turns = movement.quarterTurns {
      if turns == 0 { return RenderedVideo() }
      if let turned = MovieTurn.bytes(of: original, byQuarterTurns: turns) {
        return RenderedVideo(bytes: turned)
      }
    }
    guard movement.isProjective,
      movement.corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else {
      throw VideoFailure.unsupported("its frames cannot be bent as the edit bends the still")
    }
    guard let ffmpeg = ConfinedProgram.find("ffmpeg", in: path),
      let ffprobe = ConfinedProgram.find("ffprobe", in: path)
    else { throw VideoFailure.noProgram }
    let input = try Self.memory("safelight-video")
    try FileSystem.real.write(original, to: input)
    let stream = try StreamFacts(probe(ffprobe, input))
    if ["smpte2084", "arib-std-b67"].contains(stream["color_transfer"]) {
      throw VideoFailure.unsupported("its colors are of high dynamic range")
    }
    let look = try BakedLook(stack, isDisplayP3: stream["color_primaries"] == "smpte432")
    var result = RenderedVideo(
      leftOut: look.leftOut, simplified: look.simplified, meanError: look.meanError)
    guard look.changesColors || !movement.isNothing else { return result }
    guard let coding = Coding(codec: stream["codec_name"] ?? "") else {
      throw VideoFailure.unsupported(
        "its frames are coded as \(stream["codec_name"] ?? video.coding)")
    }
    guard let pixelFormat = stream.pixelFormat else {
      throw VideoFailure.unsupported(
        stream["pix_fmt"].map { "its pixels are \($0), and not 4:2:0 in 8 or 10 bits" }
          ?? "its frames cannot be read")
    }
    let output = try Self.memory("safelight-frames")
    let folder =
      try look.changesColors ? TableFolder(look.table.cubeFile(), in: temporaryFolder) : nil
    let filters = FrameFilters(
      movement, table: folder == nil ? nil : TableFolder.name, stream, pixelFormat: pixelFormat,
      height: size.height)
    let threads = "\(darkroom.threads ?? 0)"
    var program = ConfinedProgram(ffmpeg, arguments: ["ffmpeg"])
    program.arguments +=
      [
        "-nostdin", "-v", "error", "-xerror", "-y", "-copyts", "-filter_threads", threads,
        "-threads", threads, "-protocol_whitelist", "file", "-f", "mov", "-i", "/proc/self/fd/3",
        "-map", "0:v:0", "-an", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1", "-vf",
        filters.text,
      ] + coding.arguments(stream) + [
        "-fps_mode", "passthrough", "-enc_time_base", "-1", "-video_track_timescale",
        "\(max(video.timescale, 1))", "-movie_timescale", "\(max(movie.timescale, 1))",
        "-threads", threads, "-f", movie.isQuickTime ? "mov" : "mp4", "/proc/self/fd/4",
      ]
    if let folder {
      program.folder = folder.path
      program.readableFiles = [folder.path.appending(TableFolder.name)]
    }
    try withExtendedLifetime(folder) {
      try run(&program, [nil, nil, nil, input.descriptor, output.descriptor])
    }
    let rendered = try FileSystem.real.contents(of: output, limit: Self.largestVideo)
    guard let bytes = MovieSplice.bytes(of: original, withVideoOf: rendered),
      let made = Movie(in: 0..<bytes.count, { bytes.bytes(at: $0, count: $1) }),
      made.contentIdentifier == movie.contentIdentifier,
      made.stillImageTime == movie.stillImageTime, made.tracks.count == movie.tracks.count
    else { throw VideoFailure.unsupported("its tracks cannot be joined with new frames") }
    // Frames that no edit of the movie shows are not in the new one.
    guard let count = made.video?.sampleCount, (1...max(video.sampleCount, 1)).contains(count)
    else { throw VideoFailure.unsupported("its frames cannot be read") }
    result.bytes = bytes
    return result
  }

  /// What ffprobe says of the first video stream.
  func probe(_ ffprobe: FilePath, _ input: OpenFile) throws -> String {
    let entries = "codec_name,pix_fmt,color_range,color_space,color_transfer,color_primaries"
    return try ask(
      ffprobe, of: input, "stream=\(entries)", as: "default=noprint_wrappers=1", limit: 65_536)
  }

  /// What ffprobe says of entries of the first video stream.
  ///
  /// - Parameters:
  ///   - format: How it is to be written.
  ///   - limit: The most bytes of it.
  func ask(
    _ ffprobe: FilePath, of input: OpenFile, _ entries: String, as format: String, limit: Int
  ) throws -> String {
    let said = try Self.memory("safelight-facts")
    var program = ConfinedProgram(
      ffprobe,
      arguments: [
        "ffprobe", "-v", "error", "-protocol_whitelist", "file", "-f", "mov", "-select_streams",
        "v:0", "-show_entries", entries, "-of", format, "/proc/self/fd/3",
      ])
    try run(&program, [nil, said.descriptor, nil, input.descriptor])
    return String(decoding: try FileSystem.real.contents(of: said, limit: limit), as: UTF8.self)
  }

  /// A file in memory, for what a program reads or writes.
  static func memory(_ name: String) throws -> OpenFile {
    guard let file = OpenFile.ofMemory(name) else {
      throw VideoFailure.failed("there is no memory for it")
    }
    return file
  }

  /// Runs a program to its end.
  func run(_ program: inout ConfinedProgram, _ files: [Int32?]) throws {
    let errors = OpenFile.ofMemory("safelight-errors")
    program.files = files
    program.files[2] = errors?.descriptor
    program.memoryLimit = darkroom.memoryLimit
    program.outputLimit = Self.largestVideo
    let end: ChildProcess.End?
    do throws(SystemCallError) {
      end = try program.run(requiring: [.files, .calls], within: darkroom.timeLimit) {
        cancellation?.isCancelled == true
      }
    } catch {
      throw error.code == ENOSYS ? VideoFailure.unconfined : .failed(error.reason)
    }
    if cancellation?.isCancelled == true { throw CancellationError() }
    if end == .exit(code: 0) { return }
    guard let end else { throw VideoFailure.failed("it took too long") }
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

  /// What ffmpeg's filter calls the way from codes to colors; what the file does not say, players guess by the size.
  func matrix(height: Int) -> String {
    switch values["color_space"] {
    case "bt709": "bt709"
    case "bt2020nc": "bt2020"
    case nil where height >= 720: "bt709"
    default: "bt601"
    }
  }

  /// How ffmpeg's filter rounds.
  static let exact = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"

  /// The filters of ffmpeg from codes to red, green and blue.
  func filtersToColors(height: Int) -> [String] {
    let range = isFullRange ? "pc" : "tv"
    return [
      "scale=in_color_matrix=\(matrix(height: height)):in_range=\(range):\(Self.exact)",
      "format=gbrp",
    ]
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
private struct Coding {
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

  func arguments(_ stream: StreamFacts) -> [String] {
    var arguments = options
    for (name, option) in [
      ("color_space", "-colorspace"), ("color_transfer", "-color_trc"),
      ("color_primaries", "-color_primaries"),
    ] {
      if let value = stream[name] { arguments += [option, value] }
    }
    return arguments + ["-color_range", stream.isFullRange ? "pc" : "tv"]
  }
}

/// The filters of ffmpeg that do to frames what an edit does.
private struct FrameFilters {
  let text: String

  init(
    _ movement: FrameMovement, table: String?, _ stream: StreamFacts, pixelFormat: String,
    height: Int
  ) {
    let (matrix, range) = (stream.matrix(height: height), stream.isFullRange ? "pc" : "tv")
    var filters = stream.filtersToColors(height: height)
    filters += Self.turns[movement.orientation] ?? []
    let size = movement.size
    if let origin = movement.origin {
      filters.append(
        "crop=\(size.width):\(size.height):\(Int(origin.x)):\(Int(origin.y)):exact=1")
    } else {
      filters.append(Self.perspective(movement))
      filters.append("scale=\(size.width):\(size.height):flags=bicubic+accurate_rnd")
    }
    // Scaled to even sides, frames would keep their former shape by pixels that are no squares.
    filters.append("setsar=1")
    if let table { filters.append("lut3d=file=\(table):interp=tetrahedral") }
    filters.append("scale=out_color_matrix=\(matrix):out_range=\(range):\(StreamFacts.exact)")
    filters.append("format=\(pixelFormat)")
    text = filters.joined(separator: ",")
  }

  /// The turn and the mirror of an Exif value.
  private static let turns = [
    2: ["hflip"], 3: ["hflip", "vflip"], 4: ["vflip"], 5: ["transpose=cclock_flip"],
    6: ["transpose=clock"], 7: ["transpose=clock_flip"], 8: ["transpose=cclock"],
  ]

  /// The map of places. The filter gives frames of the size that it gets, and counts from the middles of pixels.
  private static func perspective(_ movement: FrameMovement) -> String {
    let corners = movement.corners
    // The projective map from the unit square to the corners. Source: Heckbert, "Fundamentals of Texture Mapping and
    // Image Warping", 1989, 2.2.3.
    let (p0, p1, p3, p2) = (corners[0], corners[1], corners[2], corners[3])
    let (sx, sy) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
    let (dx1, dx2) = (p1.x - p2.x, p3.x - p2.x)
    let (dy1, dy2) = (p1.y - p2.y, p3.y - p2.y)
    let determinant = dx1 * dy2 - dx2 * dy1
    let g = determinant == 0 ? 0 : (sx * dy2 - dx2 * sy) / determinant
    let h = determinant == 0 ? 0 : (dx1 * sy - sx * dy1) / determinant
    let (a, b, c) = (p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x)
    let (d, e, f) = (p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y)
    let (width, height) = (Double(movement.turned.width), Double(movement.turned.height))
    func place(_ column: Double, _ row: Double) -> (x: Double, y: Double) {
      let (u, v) = ((column + 0.5) / width, (row + 0.5) / height)
      let w = g * u + h * v + 1
      return ((a * u + b * v + c) / w - 0.5, (d * u + e * v + f) / w - 0.5)
    }
    let ends = [place(0, 0), place(width, 0), place(0, height), place(width, height)]
    let values = ends.enumerated().map { index, end in
      "x\(index)=\(end.x.decimal(digits: 6)):y\(index)=\(end.y.decimal(digits: 6))"
    }
    return "perspective=\(values.joined(separator: ":")):interpolation=cubic:sense=source"
  }
}

/// The folder that ffmpeg works in, with the table of colors: ffmpeg knows tables by the endings of their names. It goes
/// with the object.
private final class TableFolder {
  static let name = "look.cube"

  let path: FilePath

  /// - Parameters:
  ///   - table: The bytes of the table.
  ///   - parent: Where the folder is made; `nil` is `TMPDIR`, or `/tmp`.
  init(_ table: [UInt8], in parent: FilePath?) throws {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let parent = parent ?? FilePath(argument: variable.isEmpty ? "/tmp" : variable).absolute
    let folder = try Folder(parent)
    TableFolder.sweep(folder)
    let name = FilePath("\(TableFolder.prefix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))")
    guard try folder.createFolder(name, mode: 0o700) else {
      throw VideoFailure.failed("there is no temporary folder")
    }
    let made = parent.appending(name)
    do {
      try FileSystem.real.replace(made.appending(TableFolder.name), with: table, durably: false)
    } catch {
      try? folder.removeTree(name)
      throw error
    }
    path = made
  }

  deinit { try? FileSystem.real.removeTree(path) }

  private static let prefix = "safelight-video-"

  /// Removes the folders that this user's processes left when they died. Those of the last day stay: in a container, a
  /// process that lives outside seems dead.
  private static func sweep(_ parent: Folder) {
    for name in (try? parent.names()) ?? [] where name.string.hasPrefix(prefix) {
      guard let process = name.string.dropFirst(prefix.count).split(separator: "-").first,
        let identifier = pid_t(process), identifier > 0,
        kill(identifier, 0) != 0, errno == ESRCH,
        let status = try? parent.status(of: name), status.kind == .folder,
        status.owner == geteuid(), status.modified.seconds < time(nil) - 86_400
      else { continue }
      try? parent.removeTree(name)
    }
  }
}
