import Foundation
import SafelightAdjustments
import SafelightFiles
import SafelightFormats
import SafelightMetadata
import SafelightProcesses
import SafelightTestSupport
import Testing

@testable import SafelightDarkroom
@testable import SafelightRendering

/// Frames with an edit, compared with what the edit makes of a still.
@Suite(.enabled(if: FFmpeg.isInstalled)) struct VideoRenderingTests {
  private let folder = TemporaryFolder()
  private let identifier = "A1B2C3D4-0001-4A00-8B00-000000009001"

  private func movie(codec: String = "libx264", isLate: Bool = false) throws -> FilePath {
    let path = folder["in.mov"]
    try FFmpeg.makeMovie(
      at: path.string, identifier: identifier, codec: codec, isLate: isLate)
    return path
  }

  private func stack(_ values: [(String, String)]) throws -> EditStack {
    var stack = EditStack()
    for (name, value) in values { try stack.set(name, to: value) }
    return stack
  }

  private func render(_ path: FilePath, _ stack: EditStack) throws -> RenderedVideo {
    var darkroom = PhotoDarkroom()
    darkroom.threads = 1
    return try VideoRenderer(darkroom).render(FileSystem.real.openForReading(path), edit: stack)
  }

  /// The first frame of a movie as a photo, rendered with an edit.
  private func still(_ path: FilePath, _ stack: EditStack) throws -> (PixelSize, [UInt8]) {
    let frame = folder["frame.png"]
    try FFmpeg.run(["-i", path.string, "-frames:v", "1", "-pix_fmt", "rgb24", frame.string])
    var bytes: [UInt8] = []
    let report = try Renderer().render(
      OpenedPhoto(PhotoSource(FileSystem.real.openForReading(frame), name: "frame.png")),
      edit: stack,
      as: RenderOutput(format: .png),
      derivedFrom: OriginalReference(fileName: "frame.png", sha256: "00")
    ) { bytes += $0 }
    let render = folder["render.png"]
    render.write(bytes)
    return (
      PixelSize(width: report.pixelWidth, height: report.pixelHeight),
      try FFmpeg.pixels(of: render.string)
    )
  }

  static let edits: [[(String, String)]] = [
    [("flip-horizontal", "true")], [("rotate", "90"), ("exposure", "0.4")],
    [("straighten", "4")], [("straighten", "-9"), ("perspective-vertical", "20")],
    [("crop-x", "0.25"), ("crop-width", "0.5"), ("crop-y", "0.125"), ("crop-height", "0.75")],
    [("exposure", "0.5"), ("saturation", "-100"), ("contrast", "30")],
  ]

  @Test(arguments: edits)
  func framesAreAsTheStill(_ values: [(String, String)]) throws {
    let path = try movie()
    let stack = try stack(values)
    let rendered = try render(path, stack)
    let bytes = try #require(rendered.bytes)
    let result = folder["out.mov"]
    result.write(bytes)
    let (size, expected) = try still(path, stack)
    let video = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    let shown = try #require(video.size)
    #expect(shown.width == size.width & ~1 && shown.height == size.height & ~1)
    // Pixels are squares, though sides are made even.
    let shape = try FFmpeg.facts("stream=sample_aspect_ratio", of: result.string).first
    #expect(["1:1", "N/A"].contains(shape), "\(values)")
    let found = try FFmpeg.pixels(of: result.string)
    #expect(found.count == 3 * shown.width * shown.height)
    // Away from the borders, in the mean: coding again and two ways to interpolate cost some codes.
    var (sum, count) = (0, 0)
    for row in 4..<shown.height - 4 {
      for value in 12..<3 * shown.width - 12 {
        let difference =
          Int(found[row * shown.width * 3 + value])
          - Int(expected[row * size.width * 3 + value])
        sum += abs(difference)
        count += 1
      }
    }
    #expect(Double(sum) / Double(count) < 3, "\(values)")
  }

  @Test(arguments: ["libx264", "libx265"], [false, true])
  func soundTimesAndNamesStay(codec: String, isLate: Bool) throws {
    let path = try movie(codec: codec, isLate: isLate)
    let bytes = try #require(try render(path, stack([("saturation", "-100")])).bytes)
    let result = folder["out.mov"]
    result.write(bytes)
    for (entries, stream) in [
      ("frame=best_effort_timestamp_time", "v"), ("packet=pts_time,size", "a"),
      ("packet=data_hash", "a"), ("stream=codec_name,time_base", "v"),
    ] {
      func facts(_ path: FilePath) throws -> [String] {
        let arguments = [
          "ffprobe", "-v", "error", "-select_streams", stream, "-show_data_hash", "md5",
          "-show_entries", entries, "-of", "csv=p=0", path.string,
        ]
        return try FinishedProcess(arguments).text.split(whereSeparator: { ",\n".contains($0) })
          .map(String.init)
      }
      let before = try facts(path)
      #expect(try facts(result) == before && !before.isEmpty, "\(entries)")
    }
    let video = try #require(Movie(in: 0..<bytes.count) { bytes.bytes(at: $0, count: $1) })
    #expect(video.contentIdentifier == identifier && video.hasSound)
  }

  /// What needs the surroundings of a pixel is left out and named.
  @Test func whatTheVideoCannotHaveIsNamed() throws {
    let path = try movie()
    let sharp = try render(path, stack([("sharpen", "50")]))
    #expect(sharp.bytes == nil && sharp.leftOut == ["sharpen"])
    let both = try render(path, stack([("sharpen", "50"), ("exposure", "0.5")]))
    #expect(both.bytes != nil && both.leftOut == ["sharpen"])
    #expect(try render(path, EditStack()).bytes == nil)
  }

  @Test func whatIsNoVideoIsRefused() throws {
    let path = folder["in.mov"]
    path.write(SampleMovie().bytes)
    let warm = try stack([("exposure", "0.5")])
    // Its frames cannot be decoded.
    #expect(throws: VideoFailure.unsupported("its frames cannot be read")) {
      try render(path, warm)
    }
    path.write(Array("no movie".utf8))
    #expect(throws: VideoFailure.unsupported("it is no movie that can be read")) {
      try render(path, warm)
    }
  }

  @Test func pixelsThatPhonesDoNotWriteAreNamed() throws {
    let path = folder["in.mov"]
    try FFmpeg.run([
      "-f", "lavfi", "-i", "testsrc2=size=192x144:rate=10:duration=0.2", "-pix_fmt", "yuv444p",
      "-c:v", "libx264", "-f", "mov", path.string,
    ])
    let failure = VideoFailure.unsupported(
      "its pixels are yuv444p, and not 4:2:0 in 8 or 10 bits")
    #expect(throws: failure) { try render(path, stack([("exposure", "0.5")])) }
  }

  /// Only a table of colors needs the folder, and what is wrong with it is the video's failure alone.
  @Test func aMissingTemporaryFolderIsAFailureOfTheVideo() throws {
    let path = try movie()
    var renderer = VideoRenderer(PhotoDarkroom())
    renderer.temporaryFolder = folder["missing"]
    let file = try FileSystem.real.openForReading(path)
    let moved = try renderer.render(file, edit: stack([("flip-horizontal", "true")]))
    #expect(moved.bytes != nil)
    #expect(throws: VideoFailure.failed("\(folder["missing"]) does not exist")) {
      try renderer.render(file, edit: stack([("exposure", "0.5")]))
    }
  }

  @Test func foldersOfDeadProcessesGo() throws {
    let path = try movie()
    let place = folder["temporary"]
    try FileSystem.real.createFolders(place)
    // No process has such a number. The first folder is new, as that of another container may be.
    for name in ["safelight-video-2147483646-1", "safelight-video-2147483646-2"] {
      try FileSystem.real.createFolders(place.appending(FilePath(name)))
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -200_000)],
      ofItemAtPath: place.appending("safelight-video-2147483646-2").string)
    var renderer = VideoRenderer(PhotoDarkroom())
    renderer.temporaryFolder = place
    let file = try FileSystem.real.openForReading(path)
    #expect(try renderer.render(file, edit: stack([("exposure", "0.5")])).bytes != nil)
    #expect(try FileSystem.real.names(in: place) == ["safelight-video-2147483646-1"])
  }

  @Test func workEndsInTimeAndWhenItIsCancelled() throws {
    let path = try movie()
    let warm = try stack([("exposure", "0.5")])
    var darkroom = PhotoDarkroom()
    darkroom.timeLimit = .zero
    #expect(throws: VideoFailure.failed("it took too long")) {
      try VideoRenderer(darkroom).render(FileSystem.real.openForReading(path), edit: warm)
    }
    let cancellation = RenderCancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try VideoRenderer(PhotoDarkroom(), cancellation: cancellation)
        .render(FileSystem.real.openForReading(path), edit: warm)
    }
  }

  /// A quarter turn is what the movie says of its frames, without ffmpeg.
  @Test func quarterTurnsNeedNoProgram() throws {
    let path = try movie()
    var renderer = VideoRenderer(PhotoDarkroom())
    renderer.searchPath = ""
    let file = try FileSystem.real.openForReading(path)
    let turned = try #require(try renderer.render(file, edit: stack([("rotate", "90")])).bytes)
    let video = try #require(Movie(in: 0..<turned.count) { turned.bytes(at: $0, count: $1) })
    #expect(video.video?.quarterTurns == 1 && turned.count == path.contents?.count)
    #expect(throws: VideoFailure.noProgram) {
      try renderer.render(
        FileSystem.real.openForReading(path), edit: stack([("exposure", "0.5")]))
    }
  }
}

/// What a program of others can do.
@Suite struct ConfinedProgramTests {
  private let folder = TemporaryFolder()

  private func run(_ words: [String], reading: [FilePath] = []) throws -> (Bool, String) {
    let program = try #require(ConfinedProgram.find(words[0], in: "/usr/bin:/bin"))
    let output = try #require(OpenFile.ofMemory("output"))
    var confined = ConfinedProgram(program, arguments: words)
    confined.files = [nil, output.descriptor, output.descriptor]
    confined.readableFiles = reading
    let end = try confined.run(requiring: [.files, .calls], within: .seconds(20)) { false }
    let text = String(
      decoding: try FileSystem.real.contents(of: output, limit: 65_536), as: UTF8.self)
    return (end == .exit(code: 0), text)
  }

  @Test func itReadsWhatItMayAndWritesNothing() throws {
    let file = folder["secret.txt"]
    file.write(Array("secret".utf8))
    #expect(try run(["cat", file.string], reading: [file]) == (true, "secret"))
    #expect(try !run(["cat", file.string]).0)
    #expect(try !run(["ls", folder.path.string]).0)
    for words in [
      ["touch", folder["new"].string], ["cp", file.string, folder["new"].string],
      ["rm", file.string], ["truncate", "-s", "0", file.string],
      ["ln", file.string, folder["new"].string],
      ["mkdir", folder["new"].string], ["chmod", "0777", file.string],
    ] {
      #expect(try !run(words, reading: [file]).0, "\(words)")
    }
    #expect(folder.names == ["secret.txt"] && file.contents == Array("secret".utf8))
  }

  @Test func itStartsNoProcessAndReachesNoNetwork() throws {
    #expect(try run(["echo", "here"]) == (true, "here\n"))
    #expect(try run(["printenv", "PATH", "HOME"]) == (true, "/usr/bin:/bin\n/\n"))
    // Each program says first that it runs, and then what went well.
    #expect(try attempt("1") == "ran, done")
    #expect(try attempt("defined(fork)") == "ran")
    #expect(try attempt("socket(my $s, 2, 1, 0)") == "ran")
    #expect(try attempt("socket(my $s, 1, 1, 0)") == "ran")
    #expect(try attempt("kill(0, \(getpid()))") == "ran")
    #expect(try attempt("exec { '/bin/true' } 'true'") == "ran")
    // A library that is a program too, in a folder that the program may read.
    #if arch(x86_64)
      let library = "/usr/lib/x86_64-linux-gnu/libc.so.6"
    #else
      let library = "/usr/lib/aarch64-linux-gnu/libc.so.6"
    #endif
    #expect(try attempt("exec { '\(library)' } 'libc'") == "ran")
  }

  /// The newer calls, and others that do the same by another name, are refused as well.
  @Test func itChangesNoFileAndNoProcessByAnotherCall() throws {
    let file = folder["secret.txt"]
    file.write(Array("secret".utf8))
    let (name, process) = ("'\(file.string)'", "\(getpid())")
    #expect(try attempt("chmod(0777, \(name))", reading: [file]) == "ran")
    #expect(try attempt("utime(1, 1, \(name))", reading: [file]) == "ran")
    #expect(try attempt("open(my $f, '<', \(name))", reading: [file]) == "ran, done")
    #expect(try attempt("open(my $f, '<', \(name)) && chmod(0777, $f)", reading: [file]) == "ran")
    // fchmodat2 and setxattrat.
    var calls = ["452, -100, $name, 0777, 0", "463, -100, $name, 0, $key, 0, 0"]
    #if arch(x86_64)
      // tgkill, tkill, futimesat, setxattr, removexattr and lremovexattr; fcntl with F_SETOWN and F_SETSIG; prlimit64.
      calls += [
        "234, \(process), \(process), 0", "200, \(process), 0", "261, -100, $name, 0",
        "188, $name, $key, $key, 1, 0", "197, $name, $key", "198, $name, $key",
        "72, 0, 8, \(process)", "72, 0, 10, 12", "302, 0, 4, $key, 0",
      ]
    #else
      calls += [
        "131, \(process), \(process), 0", "130, \(process), 0", "5, $name, $key, $key, 1, 0",
        "14, $name, $key", "15, $name, $key", "25, 0, 8, \(process)", "25, 0, 10, 12",
        "261, 0, 4, $key, 0",
      ]
    #endif
    for call in calls {
      let code = "my ($name, $key) = (\(name), 'user.safelight'); syscall(\(call)) < 0 && $! == 1"
      #expect(try attempt("do { \(code) }", reading: [file]) == "ran, done", "\(call)")
    }
    #expect(folder.names == ["secret.txt"] && file.contents == Array("secret".utf8))
  }

  /// What Perl prints: "ran", and "done" when an expression is true.
  private func attempt(_ expression: String, reading: [FilePath] = []) throws -> String {
    let code = "$| = 1; print 'ran'; print ', done' if \(expression);"
    return try run(["perl", "-e", code], reading: reading).1
  }

  @Test func itEndsWhenItTakesTooLong() throws {
    let program = try #require(ConfinedProgram.find("sleep", in: "/usr/bin:/bin"))
    let confined = ConfinedProgram(program, arguments: ["sleep", "100"])
    #expect(try confined.run(requiring: [], within: .milliseconds(50)) { false } == nil)
    #expect(try confined.run(requiring: [], within: nil) { true } == nil)
  }

  @Test func onlyWholePathsAreSearched() {
    #expect(ConfinedProgram.find("cat", in: "") == nil)
    #expect(ConfinedProgram.find("cat", in: ".:bin") == nil)
  }
}
