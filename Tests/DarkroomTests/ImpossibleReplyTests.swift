import Foundation
import Glibc
import SafelightAdjustments
import SafelightFiles
import SafelightMetadata
import SafelightProcesses
import SafelightRendering
import SafelightTestSupport
import Synchronization
import Testing

@testable import SafelightDarkroom

/// A decoder in the hands of a photo can say what it likes. It costs that photo and nothing else.
@Suite struct ImpossibleReplyTests {
  private static let photo = "progressive.jpg"

  private static func source(_ name: String = photo) throws -> PhotoSource {
    let path = FilePath(Fixture.url(name).path)
    return PhotoSource(try FileSystem.real.openForReading(path), name: name)
  }

  private static func size() throws -> PixelSize {
    let facts = try PhotoDarkroom().open(source()).facts
    return PixelSize(width: facts.pixelWidth, height: facts.pixelHeight)
  }

  /// Pieces of work that have different answers.
  enum Work: String, CaseIterable {
    case describe, render, reduced, check, display, fitted, thumbnail, comparison, sheet, histogram
    case drawing, automatic, hald, session, counted, abilities

    /// Asks for it, as the library does. What comes back must be usable.
    func perform(in darkroom: PhotoDarkroom) throws {
      let source = try source()
      let original = OriginalReference(fileName: "a.jpg", sha256: "")
      var edit = EditStack()
      try edit.set("exposure", to: "0.2")
      func whole(
        _ draw: (@escaping (UnsafeRawBufferPointer) throws -> Void) throws -> Renderer.Report
      )
        throws
      {
        var bytes: [UInt8] = []
        let report = try draw { bytes += $0 }
        #expect(!bytes.isEmpty && report.pixelWidth > 0 && report.pixelHeight > 0)
      }
      func use(_ histogram: PhotoHistogram) {
        for channel in PhotoHistogram.Channel.allCases {
          #expect((0...255).contains(histogram.mean(channel)))
          #expect((0...255).contains(histogram.percentile(0.5, channel)))
        }
      }
      switch self {
      case .describe:
        let facts = try darkroom.open(source, decoding: true).facts
        #expect(facts.pixelWidth > 0 && facts.pixelHeight > 0)
      case .render, .reduced:
        try whole {
          try darkroom.render(
            source, edit: edit,
            as: RenderOutput(
              format: self == .render ? .jpeg : .png, longestSide: self == .render ? nil : 64),
            derivedFrom: original, to: $0)
        }
      case .check: #expect(try darkroom.checkRender(source).width > 0)
      case .display, .fitted:
        let pixels = try darkroom.displayPixels(of: source, edit: edit) { size in
          var layout = DisplayLayout()
          if self == .fitted { layout.size = PixelSize(width: 40, height: 30) }
          layout.longestSide = max(size.width, size.height) / 2
          return layout
        }
        #expect(pixels.bytes.count == 3 * pixels.width * pixels.height)
      case .thumbnail:
        if let pixels = try darkroom.thumbnail(jpeg: Data(contentsOf: Fixture.url(photo))) {
          #expect(pixels.bytes.count == 3 * pixels.width * pixels.height)
        }
      case .comparison:
        try whole {
          try darkroom.comparison(
            of: LabeledEdit(source, edit: EditStack(), label: "before"),
            and: LabeledEdit(source, edit: edit, label: "after"), .split(at: 0.5),
            as: RenderOutput(format: .jpeg, longestSide: 300), derivedFrom: original, to: $0)
        }
      case .sheet:
        try whole {
          try darkroom.contactSheet(
            of: source, with: [("one", edit)], columns: nil,
            as: RenderOutput(format: .webp, longestSide: 60), derivedFrom: original, to: $0)
        }
      case .histogram: use(try darkroom.histogram(of: source, edit: edit))
      case .drawing:
        try whole {
          try darkroom.draw(
            PhotoHistogram(pixels: [1, 2, 3]), before: nil, as: RenderOutput(format: .tiff),
            derivedFrom: original, to: $0)
        }
      case .automatic:
        _ = try darkroom.automaticAdjustments([.tone, .straighten], for: source, edit: edit)
      case .hald: _ = try darkroom.lookupTable(hald: source)
      case .abilities: #expect(try darkroom.abilities().contains { $0.writes })
      case .session, .counted:
        let session = try DarkroomSession(
          source, fitting: PixelSize(width: 100, height: 100), in: darkroom)
        defer { session.close() }
        var layout = PreviewLayout()
        layout.isCounted = self == .counted
        let preview = try session.picture(of: edit, layout, unless: RenderCancellation())
        #expect(preview.width > 0 && preview.height > 0 && !preview.bytes.isEmpty)
        if let histogram = preview.histogram { use(histogram) }
      }
    }
  }

  private static func histogram(_ count: String, of pixels: String, clipped: String = "0.1")
    -> String
  {
    let channel = "[" + Array(repeating: count, count: 256).joined(separator: ",") + "]"
    let channels = Array(repeating: channel, count: 4).joined(separator: ",")
    return """
      {"counts":[\(channels)],"pixelCount":\(pixels),"clippedShadows":\(clipped),"clippedHighlights":0}
      """
  }

  private static func size(_ width: String, _ height: String) -> String {
    "{\"width\":\(width),\"height\":\(height)}"
  }

  /// Answers that no decoder gives, for the work that they answer.
  private static let lies: [(Work, String, MessageKind)] = {
    var lies: [(Work, String, MessageKind)] = []
    func lie(_ work: Work, _ text: String, as kind: MessageKind = .last) {
      lies.append((work, text, kind))
    }
    let numbers = [
      ("-1", "0"), ("0", "0"), ("-4611686018427387904", "4611686018427387904"),
      ("4611686018427387904", "4611686018427387904"), ("65535", "65535"), ("1", "1"),
    ]
    for (width, height) in numbers {
      let size = size(width, height)
      for work in [Work.display, .fitted] { lie(work, size, as: .question) }
      for work in [Work.check, .display] { lie(work, size) }
      lie(.thumbnail, "[\(size)]")
      lie(.session, "{\"size\":\(size)}")
      lie(.describe, "{\"size\":\(size),\"pictures\":1}")
      for work in [Work.render, .reduced, .comparison, .sheet, .drawing] {
        lie(
          work,
          "{\"pixelWidth\":\(width),\"pixelHeight\":\(height),\"warnings\":[],\"isLossless\":false}"
        )
      }
      for wide in ["true", "false"] {
        lie(
          .hald, "{\"width\":\(width),\"height\":\(height),\"bands\":3,\"isWide\":\(wide)}")
      }
    }
    for (count, pixels, clipped) in [
      ("4611686018427387904", "1000", "0"), ("-9223372036854775808", "1000", "0"),
      ("-1", "-256", "0"),
      ("1", "257", "0"), ("1", "256", "1e300"), ("1", "256", "-0.1"), ("1000000", "256000000", "0"),
    ] {
      lie(.histogram, histogram(count, of: pixels, clipped: clipped))
    }
    for work in Work.allCases {
      if work != .describe { lie(work, "{\"size\":\(size("1", "1")),\"pictures\":1}") }
      if work != .display, work != .fitted { lie(work, size("1", "1"), as: .question) }
      lie(work, "{\"cancelled\":{}}", as: .failure)
      for text in ["{}", "null", "["] {
        for kind in [MessageKind.last, .question, .failure] { lie(work, text, as: kind) }
      }
      for error in [
        "{\"tookTooLong\":{\"seconds\":9}}", "{\"noDarkroom\":{\"detail\":\"\"}}",
        "{\"damaged\":{\"detail\":\"\(String(repeating: "x", count: 99_999))\"}}",
      ] {
        lie(work, "{\"render\":{\"_0\":\(error)}}", as: .failure)
      }
      if work != .hald { lie(work, "{\"notHald\":{\"width\":1,\"height\":2}}", as: .failure) }
    }
    lie(.abilities, "{\"read\":[],\"written\":[\"gif\"]}")
    lie(.abilities, "[{\"name\":\"jpeg\",\"title\":\"JPEG\",\"reads\":true,\"writes\":true}]")
    lie(.automatic, "{\"values\":[{\"option\":\"exposure\",\"value\":1e300}],\"notes\":[]}")
    lie(.automatic, "{\"values\":[{\"option\":\"none\",\"value\":1}],\"notes\":[]}")
    return lies
  }()

  @Test("Numbers that cannot be are the decoder's failure, of that photo alone")
  func numbers() throws {
    let lie = Mutex(("", MessageKind.last))
    let played = PlayedDarkroom { _, socket in
      let (text, kind) = lie.withLock { $0 }
      try socket.say(text, as: kind)
      // A session may be asked more.
      _ = try PlayedDarkroom.readText(socket)
    }
    for (work, text, kind) in Self.lies {
      lie.withLock { $0 = (text, kind) }
      let error = #expect(throws: RenderError.self, "\(work) \(text.prefix(120))") {
        try work.perform(in: played.darkroom)
      }
      #expect(error?.code == "worker-crashed", "\(work) \(text.prefix(120))")
    }
  }

  @Test("A histogram of a preview counts the preview's pixels")
  func previewHistograms() throws {
    let size = try Self.size()
    let jpeg = try PlainJPEG.encoded(
      DisplayPixels(width: 16, height: 16, bytes: [UInt8](repeating: 9, count: 768)), quality: 80)
    let counts = Mutex(("1", "256"))
    let played = PlayedDarkroom { _, socket in
      try socket.say("{\"size\":\(Self.size("\(size.width)", "\(size.height)"))}")
      while try PlayedDarkroom.readText(socket) != nil {
        try socket.say(bytes: jpeg)
        let (count, pixels) = counts.withLock { $0 }
        try socket.say(
          "{\"size\":\(Self.size("16", "16")),\"histogram\":\(Self.histogram(count, of: pixels))}"
        )
      }
    }
    try Work.counted.perform(in: played.darkroom)
    for lie in [("4611686018427387904", "256"), ("-1", "256"), ("2", "512"), ("0", "256")] {
      counts.withLock { $0 = lie }
      #expect(throws: RenderError.self) { try Work.counted.perform(in: played.darkroom) }
    }
    // It was asked for none.
    #expect(throws: RenderError.self) { try Work.session.perform(in: played.darkroom) }
  }

  @Test("A render is the picture that it is said to be, or none")
  func renders() throws {
    let size = try Self.size()
    let whole = try PlainJPEG.encoded(
      DisplayPixels(
        width: size.width, height: size.height,
        bytes: [UInt8](repeating: 7, count: 3 * size.width * size.height)), quality: 70)
    let other = try PlainJPEG.encoded(
      DisplayPixels(width: 9, height: 9, bytes: [UInt8](repeating: 7, count: 243)), quality: 70)
    let pieces: [(name: String, bytes: [UInt8], isWhole: Bool)] = [
      ("whole", whole, true), ("empty", [], false), ("without its end", whole.dropLast(2), false),
      ("of another size", other, false), ("its beginning", Array(whole.prefix(300)), false),
      ("its markers alone", [0xFF, 0xD8, 0xFF, 0xD9], false),
      ("garbage", [0xFF, 0xD8] + [UInt8](repeating: 65, count: 498), false),
      ("garbage behind it", whole + [UInt8](repeating: 0, count: 100_000), false),
    ]
    let sent = Mutex<[UInt8]>([])
    let played = PlayedDarkroom { _, socket in
      try socket.say(bytes: sent.withLock { $0 })
      try socket.say(
        "{\"pixelWidth\":\(size.width),\"pixelHeight\":\(size.height),\"warnings\":[],\"isLossless\":false}"
      )
    }
    for piece in pieces {
      sent.withLock { $0 = piece.bytes }
      let result = Result { try Work.render.perform(in: played.darkroom) }
      #expect(((try? result.get()) != nil) == piece.isWhole, "\(piece.name)")
    }
  }

  @Test("More bytes than the picture can have are not waited for")
  func tooManyBytes() throws {
    let played = PlayedDarkroom { _, socket in
      let piece = [UInt8](repeating: 0, count: 128 << 10)
      // Until the program closes the socket.
      while true { try socket.say(bytes: piece) }
    }
    for work in Work.allCases where work != .thumbnail {
      #expect(throws: RenderError.self, "\(work)") { try work.perform(in: played.darkroom) }
    }
  }

  @Test("A limit of pixels may be any number")
  func anyLimitOfPixels() throws {
    let folder = TemporaryFolder()
    try Data("no picture".utf8).write(to: folder["a"].fileURL)
    let file = try FileSystem.real.openForReading(folder["a"])
    let source = PhotoSource(file, name: "a", pixelLimit: .max)
    var edit = EditStack()
    try edit.set("exposure", to: "0.2")
    let render = RenderJob.draw(
      .photo(SentEdit(edit)), RenderOutput(format: .jpeg),
      OriginalReference(fileName: "a", sha256: ""))
    for job in [.hald, render, .histogram(SentEdit(edit))] as [RenderJob] {
      var check = ReplyCheck(job, on: [source])
      try [1, 2, 3].withUnsafeBytes { if case .hald = job { try check.take($0) } }
    }
  }

  @Test("A decoder that reads nothing does not stop its program")
  func deafDecoder() throws {
    let end = DispatchSemaphore(value: 0)
    let played = PlayedDarkroom(isDeaf: true) { _, _ in end.wait() }
    defer { end.signal() }
    let start = ContinuousClock.now
    let late = #expect(throws: RenderError.self) {
      try played.darkroom.thumbnail(jpeg: [UInt8](repeating: 0, count: 4 << 20))
    }
    #expect(late?.code == "timed-out")
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("Whatever a decoder says, the program gets a picture, a number or an error")
  func fuzzedDecoder() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let random = Mutex(SeededGenerator(seed: seed))
    let size = try Self.size()
    let jpeg = try Array(Data(contentsOf: Fixture.url(Self.photo)))
    let played = PlayedDarkroom { _, socket in
      for _ in 0..<8 {
        for message in random.withLock({ Lie.messages(size, jpeg: jpeg, by: &$0) }) {
          switch message {
          case .bytes(let bytes): try socket.say(bytes: bytes)
          case .text(let text, let kind): try socket.say(text: text, as: kind)
          case .raw(let kind, let bytes):
            try bytes.withUnsafeBytes { try socket.send(kind, $0) }
          }
        }
        guard try PlayedDarkroom.readText(socket) != nil else { return }
      }
    }
    for round in 0..<Rounds.count(25, long: 2000) {
      for work in Work.allCases {
        let start = ContinuousClock.now
        defer { #expect(ContinuousClock.now - start < .seconds(20), "\(work), seed \(seed)") }
        do {
          try work.perform(in: played.darkroom)
        } catch is RenderError {
        } catch is CancellationError {
          Issue.record("nobody cancelled \(work), round \(round), seed \(seed)")
        } catch {
        }
      }
    }
  }
}
