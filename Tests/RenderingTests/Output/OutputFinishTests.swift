import Foundation
import SafelightAdjustments
import SafelightFormats
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// What is done to finished pixels: watermarks, profiles from files, and the formats of libheif and libjxl.
@Suite(.serialized) struct OutputFinishTests {
  private func rendered(
    _ fixture: String, _ output: RenderOutput
  ) throws -> (bytes: [UInt8], report: Renderer.Report) {
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    let open = OpenFixture(fixture)
    let report = try Renderer().render(
      Renderer().open(open.source()), edit: EditStack(), as: output,
      derivedFrom: .init(fileName: fixture, sha256: ""), to: { collector.bytes += $0 })
    return (collector.bytes, report)
  }

  private func codes(_ bytes: [UInt8], as format: Image.FileFormat) throws -> [Int] {
    let image = try Image.open(Source(bytes), as: format)
    let pixels = try image.pixelBytes()
    guard image.sampleFormat == .uint16 else { return pixels.map(Int.init) }
    return stride(from: 0, to: pixels.count, by: 2).map {
      Int(pixels[$0]) | Int(pixels[$0 + 1]) << 8
    }
  }

  private func output(_ text: String) throws -> RenderOutput {
    try JSONDecoder().decode(RenderOutput.self, from: Data(text.utf8))
  }

  // MARK: - Watermarks

  @Test(arguments: RenderOutput.WatermarkPlace.allCases)
  func aTextIsWhereItIsAskedFor(place: RenderOutput.WatermarkPlace) throws {
    var asked = try output(
      #"{"format":"png","watermark":"Ann","watermarkOpacity":100,"watermarkSize":10}"#)
    asked.watermarkPlace = place
    let plain = try codes(rendered("beach.jpg", output(#"{"format":"png"}"#)).bytes, as: .png)
    let drawn = try rendered("beach.jpg", asked)
    let image = try Image.open(Source(drawn.bytes), as: .png)
    let pixels = try codes(drawn.bytes, as: .png)
    var changed: [Int] = []
    for index in 0..<image.width * image.height {
      let bands = (3 * index)..<(3 * index + 3)
      if pixels[bands] != plain[bands] { changed.append(index) }
    }
    #expect(changed.count > 50)
    let (xs, ys) = (changed.map { $0 % image.width }, changed.map { $0 / image.width })
    let shares = place.shares
    let (left, right) = (try #require(xs.min()), try #require(xs.max()))
    let (top, bottom) = (try #require(ys.min()), try #require(ys.max()))
    let (across, down) = (Double(left + right + 1) / 2, Double(top + bottom + 1) / 2)
    let margin = 0.03 * Double(min(image.width, image.height))
    switch shares.across {
    case 0: #expect(abs(Double(left) - margin) <= 2)
    case 1: #expect(abs(Double(image.width - 1 - right) - margin) <= 2)
    default: #expect(abs(across - Double(image.width) / 2) <= 2)
    }
    switch shares.down {
    case 0: #expect(abs(Double(top) - margin) <= 2)
    case 1: #expect(abs(Double(image.height - 1 - bottom) - margin) <= 2)
    default: #expect(abs(down - Double(image.height) / 2) <= 2)
    }
    // The ink of a whole letter is white.
    let isWhite = changed.contains { index in
      pixels[3 * index] == 255 && pixels[3 * index + 1] == 255 && pixels[3 * index + 2] == 255
    }
    #expect(isWhite)
  }

  /// Letters that would make a line wider than Pango draws, 32,767 pixels, become smaller, too.
  @Test(arguments: [(60, 50.0), (100, 100), (200, 100)])
  func aLongTextFits(count: Int, size: Double) throws {
    var asked = try output(
      #"{"format":"png","watermarkMargin":0,"longestSide":2000,"enlarge":true}"#)
    let plain = try codes(rendered("beach.jpg", asked).bytes, as: .png)
    asked.watermark = .init(String(repeating: "long ", count: count))
    (asked.watermarkSize, asked.watermarkOpacity) = (size, 100)
    let drawn = try codes(rendered("beach.jpg", asked).bytes, as: .png)
    let changed = zip(plain, drawn).count { $0 != $1 }
    #expect(changed > 1000, "\(changed) codes have ink.")
  }

  @Test func aTextThatCannotBeDrawnIsRefused() throws {
    var asked = try output(#"{"format":"png"}"#)
    // A joiner has no ink.
    asked.watermark = "\u{200D}"
    #expect(throws: RenderError.self) { try rendered("beach.jpg", asked) }
    for text in ["", "   ", "\n\t"] {
      #expect(RenderOutput.WatermarkText(text).problem(in: 0...0) != nil)
    }
  }

  @Test func markupIsText() throws {
    func ink(_ text: String) throws -> [Int] {
      var asked = try output(#"{"format":"png","watermarkSize":10}"#)
      asked.watermark = .init(text)
      return try codes(rendered("beach.jpg", asked).bytes, as: .png)
    }
    #expect(try ink("<b>a</b>") != ink("a"))
    #expect(try ink("&lt;") != ink("<"))
  }

  /// Of a picture that covers everything by half, each code is the mean, in the codes of the output.
  @Test(arguments: ["srgb", "p3", "prophoto"])
  func aPictureIsMixedInTheCodesOfTheProfile(profile: String) throws {
    let gray = try Image.fromMemory(
      [UInt8](repeating: 255, count: 300 * 300 * 3), width: 300, height: 300, bands: 3,
      format: .uint8)
    final class Collector { var bytes: [UInt8] = [] }
    let collector = Collector()
    try gray.writePNG(to: Target { collector.bytes += $0 })
    var asked = try output(
      #"{"format":"png","depth":16,"profile":"\#(profile)","fill":"200x200"}"#)
    let plain = try codes(rendered("beach.jpg", asked).bytes, as: .png)
    asked.watermarkPicture = OutputAttachment(name: "white.png", bytes: collector.bytes)
    (asked.watermarkSize, asked.watermarkMargin, asked.watermarkOpacity) = (100, 0, 50)
    let mixed = try codes(rendered("beach.jpg", asked).bytes, as: .png)
    #expect(plain.count == mixed.count)
    var worst = 0.0
    for (one, other) in zip(plain, mixed) {
      worst = max(worst, abs(Double(other) - (Double(one) + 65_535) / 2))
    }
    // White is all channels in each of these profiles, to the precision of their matrices.
    #expect(worst < 40, "\(worst)")
  }

  @Test(arguments: [
    [0x25, 0x50, 0x44, 0x46], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2],
  ])
  func aWatermarkThatIsNoPictureIsRefused(bytes: [UInt8]) throws {
    var asked = try output(#"{"format":"png"}"#)
    asked.watermarkPicture = OutputAttachment(name: "mark.png", bytes: bytes)
    #expect(throws: RenderError.self) { try rendered("beach.jpg", asked) }
  }

  /// A picture with an orientation is drawn upright, as programs show it.
  @Test func aWatermarkIsTurnedUpright() throws {
    func marked(_ fixture: String) throws -> [Int] {
      var asked = try output(
        #"{"format":"png","watermarkSize":60,"watermarkOpacity":100,"watermarkPlace":"middle"}"#)
      asked.watermarkPicture = OutputAttachment(
        name: fixture, bytes: Array(try Data(contentsOf: Fixture.url(fixture))))
      return try codes(rendered("beach.jpg", asked).bytes, as: .png)
    }
    let upright = try marked("orientation/1.jpg")
    for number in [3, 6, 8, 5] {
      let turned = try marked("orientation/\(number).jpg")
      var sum = 0
      for (one, other) in zip(upright, turned) { sum += abs(one - other) }
      let mean = Double(sum) / Double(upright.count)
      #expect(turned.count == upright.count && mean < 1.5, "\(number): \(mean)")
    }
  }

  // MARK: - Profiles from files

  /// What is found out beforehand is what rendering says.
  @Test func aTrialRefusesWhatRenderingRefuses() throws {
    let gray = StandardProfile(primaries: .sRGB, curve: .sRGB).grayBytes
    let open = OpenFixture("beach.jpg")
    for (bytes, isForNone) in [
      (Array("no profile".utf8), true), (gray, false), (StandardProfile.displayP3.bytes, false),
    ] {
      var asked = try output(#"{"format":"tiff"}"#)
      asked.profile = .file(OutputAttachment(name: "a.icc", bytes: bytes))
      func refusal(_ body: () throws -> Void) -> String? {
        do {
          try body()
          return nil
        } catch { return "\(error)" }
      }
      let rendering = refusal { _ = try rendered("beach.jpg", asked) }
      let trial = refusal {
        try Renderer().tryOutput(asked, of: Renderer().open(open.source()), edit: EditStack())
      }
      #expect(trial == rendering)
      #expect(refusal { try Renderer().tryOutput(asked) } == (isForNone ? rendering : nil))
    }
  }

  /// lcms2 reads as many bytes as a profile says that it has; the others go into no file.
  @Test func whatStandsBehindAProfileIsLeftOut() throws {
    var asked = try output(#"{"format":"tiff"}"#)
    let bytes = StandardProfile.displayP3.bytes
    asked.profile = .file(
      OutputAttachment(name: "a.icc", bytes: bytes + [UInt8](repeating: 65, count: 1000)))
    let profile = try Image.open(Source(rendered("beach.jpg", asked).bytes), as: .tiff)
      .attachment(.profile)
    #expect(profile == bytes)
  }

  /// lcms2's way and Safelight's own agree where both know the profile.
  @Test(arguments: ["p3", "adobe-rgb", "prophoto"])
  func aProfileFromAFileIsTheKnownOne(name: String) throws {
    let known = try output(#"{"format":"tiff","depth":16,"profile":"\#(name)"}"#)
    var asked = known
    let bytes = try #require(known.profile.bytes)
    asked.profile = .file(OutputAttachment(name: "a.icc", bytes: bytes))
    let (one, other) = (try rendered("beach.jpg", known), try rendered("beach.jpg", asked))
    let profile = try Image.open(Source(other.bytes), as: .tiff).attachment(.profile)
    #expect(profile == bytes)
    let pairs = zip(try codes(one.bytes, as: .tiff), try codes(other.bytes, as: .tiff))
    let worst = pairs.map { abs($0 - $1) }.max() ?? .max
    #expect(worst < 200, "\(worst) of 65,535")
  }

  @Test func profilesThatCannotBeAreRefused() throws {
    func refusal(_ bytes: [UInt8], _ fixture: String = "beach.jpg") throws -> String {
      var asked = try output(#"{"format":"tiff"}"#)
      asked.profile = .file(OutputAttachment(name: "a.icc", bytes: bytes))
      do {
        _ = try rendered(fixture, asked)
        return ""
      } catch let error as RenderError {
        return error.description
      }
    }
    #expect(try refusal(Array("no profile".utf8)).contains("is no ICC profile"))
    let gray = StandardProfile(primaries: .sRGB, curve: .sRGB).grayBytes
    #expect(try refusal(gray).contains("is a profile of gray"))
    #expect(try refusal(gray, "gradients/grey-ramp-16.png") == "")
    var inks = StandardProfile.sRGB.bytes
    inks.replaceSubrange(16..<20, with: Array("CMYK".utf8))
    #expect(try refusal(inks).contains("cyan, magenta"))
  }

  @Test func aProfileOfGrayNeedsAFormatThatHoldsGray() throws {
    var asked = try output(#"{"format":"webp"}"#)
    let gray = StandardProfile(primaries: .sRGB, curve: .sRGB).grayBytes
    asked.profile = .file(OutputAttachment(name: "a.icc", bytes: gray))
    let error = #expect(throws: RenderError.self) {
      try rendered("gradients/grey-ramp-16.png", asked)
    }
    #expect(error?.description.contains("WebP holds gray as colors") == true)
    #expect(error?.code == "unusable-file")
  }

  /// White letters are the profile's white, also of a profile whose own codes go another way.
  @Test(arguments: ["prophoto", "gray"])
  func lettersAreDrawnInTheCodesOfAProfileFromAFile(name: String) throws {
    var asked = try output(
      #"{"format":"png","watermarkSize":100,"watermarkOpacity":100,"watermarkMargin":0,"shortestSide":40}"#
    )
    asked.enlarges = true
    let isGray = name == "gray"
    let bytes =
      isGray
      ? StandardProfile(primaries: .sRGB, curve: .sRGB).grayBytes
      : try #require(output(#"{"profile":"prophoto"}"#).profile.bytes)
    asked.profile = .file(OutputAttachment(name: "a.icc", bytes: bytes))
    asked.depth = 8
    let fixture = isGray ? "gradients/grey-ramp-16.png" : "beach.jpg"
    asked.watermarkColor = .black
    asked.watermark = "Ann"
    let black = try codes(rendered(fixture, asked).bytes, as: .png)
    asked.watermarkColor = .white
    let white = try codes(rendered(fixture, asked).bytes, as: .png)
    let letters = zip(black, white).count { $0 == 0 && $1 == 255 }
    #expect(letters > 20, "\(letters) codes")
  }

  // MARK: - AVIF and JPEG XL

  @Test(arguments: [(8, 2.5), (12, 2.0)])
  func anAVIFHasThePixelsAndTheMetadata(depth: Int, most: Double) throws {
    let asked = try output(#"{"format":"avif","quality":95,"effort":1,"depth":\#(depth)}"#)
    let written = try rendered("beach.jpg", asked)
    #expect(written.report.warnings.own.isEmpty)
    let image = try Image.open(Source(written.bytes), as: .heif)
    #expect(image.number("heif-bitdepth") == depth)
    let plain = try codes(rendered("beach.jpg", output(#"{"format":"png"}"#)).bytes, as: .png)
    let scale = depth == 8 ? 1.0 : 65_535.0 / 255
    let found = try codes(written.bytes, as: .heif).map { Double($0) / scale }
    var sum = 0.0
    for (one, other) in zip(plain, found) { sum += abs(Double(one) - other) }
    let mean = sum / Double(plain.count)
    #expect(found.count == plain.count && mean < most, "\(mean)")
    try expectMetadata(in: written.bytes, as: .avif)
  }

  /// The metadata of a render in a file are those of the same render as a PNG, byte for byte but for size and format.
  private func expectMetadata(in bytes: [UInt8], as format: PhotoFormat) throws {
    try TemporaryFile.holding(bytes) { fixture in
      let found = try Renderer().open(fixture.source())
      #expect(found.format == format)
      let original = try Renderer().open(OpenFixture("beach.jpg").source())
      #expect(found.header.captureTime == original.header.captureTime)
      #expect(found.header.camera == original.header.camera)
      #expect(found.header.renderOf == "beach.jpg")
    }
  }

  @Test(arguments: [#"{"format":"jxl"}"#, #"{"format":"jxl","depth":16,"quality":100}"#])
  func aJPEGXLHasBoxesForItsMetadata(text: String) throws {
    let written = try rendered("beach.jpg", output(text)).bytes
    #expect(written.has("JXL ", at: 4))
    var (offset, boxes): (Int, [String]) = (0, [])
    while let size = written.uint32(at: offset), size >= 8 {
      boxes.append(String(decoding: written[(offset + 4)..<(offset + 8)], as: UTF8.self))
      offset += size
    }
    #expect(offset == written.count)
    #expect(boxes.filter { $0 != "jxll" } == ["JXL ", "ftyp", "Exif", "xml ", "jxlc"])
  }

  @Test func abilitiesAreMeasured() throws {
    let abilities = FormatAbility.all(Renderer().measuredFormats())
    #expect(abilities.map(\.name) == ["jpeg", "png", "tiff", "webp", "avif", "jxl", "heic"])
    for ability in abilities {
      #expect(ability.writes == (ability.name != "heic"), "\(ability)")
      #expect(ability.reads == (ability.name != "jxl"), "\(ability)")
      #expect(ability.package == nil)
    }
    for ability in FormatAbility.all(MeasuredFormats()) {
      #expect(!ability.writes && !ability.reads && ability.package != nil, "\(ability)")
    }
  }
}
