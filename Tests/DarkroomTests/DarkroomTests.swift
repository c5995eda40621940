import Foundation
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightDarkroom
@testable import SafelightRendering

/// Processes of their own give what this process would give, and nothing else.
@Suite struct DarkroomTests {
  private let apart = PhotoDarkroom()
  private let here: PhotoDarkroom = {
    var darkroom = PhotoDarkroom()
    darkroom.place = .inProcess
    return darkroom
  }()

  @Test("A process of its own has all guards, this process none")
  func guards() throws {
    #expect(try apart.guards() == [.files, .systemCalls])
    #expect(try here.guards() == [])
  }

  static let formats = [
    "beach.jpg", "progressive.jpg", "cmyk.jpg", "alpha.png", "sixteen-bit.png", "rgb.tif",
    "lossy.webp",
    "lossless-alpha.webp", "photo.heic", "photo.avif", "exif-gps-makernote.jpg",
  ]
  private let original = OriginalReference(fileName: "beach.jpg", sha256: "00")

  @Test("A render has the same bytes, warnings and size", arguments: formats)
  func sameRender(_ name: String) throws {
    let source = try Self.source(name)
    var edit = EditStack()
    try edit.set("exposure", to: "0.4")
    try edit.set("clarity", to: "0.5")
    func render(_ darkroom: PhotoDarkroom) throws -> (Renderer.Report, [UInt8]) {
      var bytes: [UInt8] = []
      let report = try darkroom.render(
        source, edit: edit, as: RenderOutput(format: .jpeg, longestSide: 400), derivedFrom: original
      ) { bytes += $0 }
      return (report, bytes)
    }
    let (apart, here) = (try render(apart), try render(here))
    #expect(Self.own(apart.0) == Self.own(here.0))
    #expect(apart.1 == here.1)
  }

  @Test(
    "A perspective makes a picture larger",
    arguments: ["progressive.jpg", "orientation/6.jpg", "gradients/chart.png"],
    [(100, 100), (100, 0), (0, -100), (-100, 100)])
  func perspective(_ name: String, _ percent: (vertical: Double, horizontal: Double)) throws {
    let source = try Self.source(name)
    var edit = EditStack()
    try edit.adjust(Perspective.self) { perspective in
      (perspective.vertical, perspective.horizontal) = percent
    }
    func size(_ darkroom: PhotoDarkroom) throws -> [Int] {
      let report = try darkroom.render(
        source, edit: edit, as: RenderOutput(format: .jpeg), derivedFrom: original
      ) { _ in }
      return [report.pixelWidth, report.pixelHeight]
    }
    #expect(try size(apart) == size(here))
  }

  @Test("A header says the same", arguments: formats)
  func sameHeader(_ name: String) throws {
    let source = try Self.source(name)
    #expect(try apart.open(source).facts == here.open(source).facts)
  }

  @Test("Pictures for the screen, numbers and sheets are the same")
  func sameOthers() throws {
    let source = try Self.source("beach.jpg")
    var edit = EditStack()
    try edit.set("contrast", to: "0.3")
    func all(_ darkroom: PhotoDarkroom) throws -> [AnyHashable] {
      let shown = try darkroom.displayPixels(of: source, edit: edit) { size in
        var layout = DisplayLayout()
        layout.longestSide = max(size.width, size.height) / 4
        return layout
      }
      func drawn(
        _ draw: (@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Renderer.Report
      ) throws -> [AnyHashable] {
        var bytes: [UInt8] = []
        let report = try draw { bytes += $0 }
        return [Self.own(report), bytes]
      }
      let histogram = try darkroom.histogram(of: source, edit: edit)
      let output = RenderOutput(format: .png, longestSide: 200)
      return [
        shown.bytes, shown.width, histogram,
        try darkroom.automaticAdjustments([.tone, .whiteBalance], for: source, edit: edit),
        try darkroom.checkRender(source),
        try drawn {
          try darkroom.comparison(
            of: LabeledEdit(source, edit: EditStack(), label: "before"),
            and: LabeledEdit(source, edit: edit, label: "after"), .split(at: 0.5), as: output,
            derivedFrom: original, to: $0)
        },
        try drawn {
          try darkroom.contactSheet(
            of: source, with: [("one", EditStack()), ("two", edit)], columns: 2, as: output,
            derivedFrom: original, to: $0)
        },
        try drawn {
          try darkroom.draw(
            histogram, before: nil, as: output, derivedFrom: original, to: $0)
        },
      ]
    }
    #expect(try all(apart) == all(here))
  }

  @Test("A lookup table of a picture is the same")
  func sameTable() throws {
    let hald = try #require(
      FileManager.default.enumerator(atPath: Fixture.url("luts").path)?.compactMap { $0 as? String }
        .first { $0.hasSuffix(".png") })
    let source = try Self.source("luts/" + hald)
    #expect(try apart.lookupTable(hald: source) == here.lookupTable(hald: source))
    let photo = try Self.source("beach.jpg")
    #expect(throws: (any Error).self) { try apart.lookupTable(hald: photo) }
  }

  @Test("An edit arrives as the text that it was, with what a newer version wrote")
  func sentEdits() throws {
    let text =
      #"{ "adjustments":[{"id":"exposure","version":1,"amount":0.50,"mask":"é\u0301\n"},"#
      + #"{"id":"halo","version":2,"table":"QUJD/+8="}], "more":[1.0] }"#
    let stack = try EditStack(
      AdjustmentData(
        formatIdentifier: EditStack.formatIdentifier, formatVersion: "1.7", data: Data(text.utf8)))
    let sent = try JSONEncoder().encode(SentEdit(stack))
    let arrived = try JSONDecoder().decode(SentEdit.self, from: sent).stack
    #expect(arrived == stack && arrived.adjustmentData == stack.adjustmentData)
  }

  @Test("Errors come through as they are")
  func errors() throws {
    let folder = TemporaryFolder()
    let whole = try Array(Data(contentsOf: Fixture.url("beach.jpg")))
    folder.put(Array(whole.prefix(whole.count / 2)), at: "cut.jpg")
    folder.put("no picture", at: "text.jpg")
    folder.put("", at: "empty.jpg")
    for name in folder.names {
      let source = PhotoSource(
        try FileSystem.real.openForReading(folder[name]), name: name.string)
      func error(_ darkroom: PhotoDarkroom) -> RenderError? {
        #expect(throws: RenderError.self) {
          try darkroom.render(
            source, edit: EditStack(), as: .standard, derivedFrom: original
          ) { _ in }
        }
      }
      // The text of libvips may be about the photo of another test here, and only here.
      #expect(error(apart)?.code == error(here)?.code)
    }
  }

  @Test("What the receiver throws ends the work, and the next work is done")
  func receiverThrows() throws {
    struct Full: Error {}
    let source = try Self.source("beach.jpg")
    #expect(throws: Full.self) {
      try apart.render(source, edit: EditStack(), as: .standard, derivedFrom: original) { _ in
        throw Full()
      }
    }
    #expect(try apart.open(source).facts.pixelWidth == 1200)
  }

  /// A report without the words of decoders: in this process other tests' decoders speak, too.
  private static func own(_ report: Renderer.Report) -> Renderer.Report {
    Renderer.Report(
      pixelWidth: report.pixelWidth, pixelHeight: report.pixelHeight,
      warnings: report.warnings.filter { if case .decoder = $0 { false } else { true } })
  }

  fileprivate static func source(_ name: String) throws -> PhotoSource {
    let path = FilePath(Fixture.url(name).path)
    return PhotoSource(try FileSystem.real.openForReading(path), name: name)
  }
}

/// What a decoder can do that a photo has taken over.
@Suite struct DarkroomWallTests {
  @Test("A decoder cannot open files, reach others, change anything or start programs")
  func nothingCanBeDone() throws {
    let folder = TemporaryFolder()
    folder.put("secret", at: "key")
    let holes = try PhotoDarkroom().perform(
      .breakOut(file: folder["key"].string, process: getpid()))
    #expect(holes == [])
    #expect(folder.names == ["key"])
    #expect(folder.text("key") == "secret")
    // The same attempts succeed where there are no walls, so they are attempts.
    let descriptor = open(folder["key"].string, O_RDONLY)
    #expect(descriptor >= 0)
    close(descriptor)
  }

  @Test("A decoder that crashes costs its photo, and says what happened")
  func crash() throws {
    let error = #expect(throws: RenderError.self) { try PhotoDarkroom().perform(.crash) }
    guard case .decoderEnded(let detail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains("signal") && detail.contains("A drill."))
    #expect(try PhotoDarkroom().perform(.fill(1 << 20)) == [])
  }

  @Test("A decoder that never ends is ended")
  func timeLimit() throws {
    var darkroom = PhotoDarkroom()
    darkroom.timeLimit = .milliseconds(300)
    let start = ContinuousClock.now
    #expect(throws: RenderError.tookTooLong(seconds: 0.3)) { try darkroom.perform(.hang) }
    #expect(ContinuousClock.now - start < .seconds(20))
    darkroom.timeLimit = .seconds(60)
    #expect(try darkroom.perform(.fill(1 << 20)) == [])
  }

  @Test("A decoder can be cancelled at once, whatever it does")
  func cancellation() async throws {
    let cancellation = RenderCancellation()
    let work = Task.detached {
      try PhotoDarkroom().perform(.hang, cancellation: cancellation)
    }
    try await Task.sleep(for: .milliseconds(200))
    cancellation.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }

  @Test("Twice as many pictures as there are cores are drawn at once, and who waits can go")
  func turns() throws {
    let most = 2 * ProcessInfo.processInfo.activeProcessorCount
    let drawing = Mutex(0)
    let (mayEnd, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var darkroom = PlayedDarkroom { _, _ in
      drawing.withLock { $0 += 1 }
      mayEnd.wait()
    }.darkroom
    darkroom.timeLimit = nil
    let source = try DarkroomTests.source("beach.jpg")
    let cancelled = Mutex(0)
    func draw(_ count: Int, _ cancellation: RenderCancellation?) {
      for _ in 0..<count {
        Thread.detachNewThread { [darkroom] in
          do {
            _ = try darkroom.render(
              source, edit: EditStack(), as: RenderOutput(format: .jpeg),
              derivedFrom: OriginalReference(fileName: "beach.jpg", sha256: "00"),
              cancellation: cancellation, to: { _ in })
          } catch is CancellationError {
            cancelled.withLock { $0 += 1 }
          } catch {}
          ended.signal()
        }
      }
    }
    draw(most, nil)
    while drawing.withLock({ $0 }) < most { usleep(1000) }
    let late = RenderCancellation()
    draw(3, late)
    usleep(300_000)
    #expect(drawing.withLock { $0 } == most)
    late.cancel()
    for _ in 0..<3 { ended.wait() }
    #expect(cancelled.withLock { $0 } == 3)
    for _ in 0..<most { mayEnd.signal() }
    for _ in 0..<most { ended.wait() }
    #expect(drawing.withLock { $0 } == most)
  }

  @Test("A decoder gets no more memory than it may have")
  func memoryLimit() throws {
    var darkroom = PhotoDarkroom()
    darkroom.memoryLimit = 300
    #expect(try darkroom.perform(.fill(100 << 20)) == [])
    #expect(throws: RenderError.self) { try darkroom.perform(.fill(400 << 20)) }
    darkroom.memoryLimit = 0
    #expect(try darkroom.perform(.fill(400 << 20)) == [])
  }

  @Test("A program that is no darkroom is refused, by a sentence")
  func otherProgram() throws {
    var darkroom = PhotoDarkroom()
    darkroom.program = "/bin/true"
    #expect(throws: (any Error).self) { try DarkroomProcess.start(darkroom).makeReady() }
    darkroom.program = "/nonexistent/edit"
    #expect(throws: (any Error).self) { try DarkroomProcess.start(darkroom) }
  }

  @Test("A photo is refused where a part of the sandbox is required and missing")
  func missingGuard() throws {
    let played = PlayedDarkroom(guards: 2) { _, socket in try socket.say("[]") }
    var darkroom = played.darkroom
    #expect(try darkroom.perform(.fill(1)) == [])
    darkroom.requiredGuards = .all
    let error = #expect(throws: RenderError.self) { try darkroom.perform(.fill(1)) }
    #expect(error?.code == "worker-unavailable")
    #expect(error?.description.contains("no Landlock") == true)
    darkroom.requiredGuards = .systemCalls
    #expect(try darkroom.perform(.fill(1)) == [])
  }

  @Test("A program called “edit” gets nothing to do before it has said that it is Safelight's")
  func namesake() throws {
    let folder = TemporaryFolder()
    func program(_ name: String, _ text: String) -> FilePath {
      let path = folder[FilePath(name)]
      // Debian's takes words that it does not know for files to open in an editor.
      path.write(Array("#!/bin/sh\necho \"$@\" >> \(path.string).given\n\(text)\n".utf8))
      chmod(path.string, 0o755)
      return path
    }
    let version = "echo renderer \(Renderer.version)"
    for (name, text) in [
      ("old", "echo edit 0.1.0; echo renderer safelight-0"), ("busy", "exec sleep 1000"),
      ("failing", "\(version); exit 3"),
    ] {
      let program = program(name, text)
      #expect(!DarkroomProcess.isEdit(program, within: .milliseconds(500)), "\(name)")
      #expect(folder.text(FilePath("\(name).given")) == "--version\n")
    }
    #expect(DarkroomProcess.isEdit(program("own", version), within: .seconds(5)))
  }

  @Test("A program that was too slow once is asked again")
  func slowStart() throws {
    let folder = TemporaryFolder()
    let path = folder["edit"]
    // The second start finds what the first one left.
    let text = """
      #!/bin/sh
      mkdir "\(folder["seen"].string)" 2>/dev/null && exec sleep 1000
      echo renderer \(Renderer.version)
      """
    path.write(Array(text.utf8))
    chmod(path.string, 0o755)
    #expect(!DarkroomProcess.isEdit(path, within: .milliseconds(500)))
    #expect(DarkroomProcess.isEdit(path, within: .seconds(60)))
  }

  @Test("Many pieces of work at once")
  func manyAtOnce() async throws {
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try PhotoDarkroom().perform(.fill(8 << 20)) })
            }
          }
        }
      }
      for try await holes in group { #expect(holes == []) }
    }
  }
}
