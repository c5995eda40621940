import Foundation
import SafelightAdjustments
import SafelightFormats
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightMetadata
@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Photos that say their colors by numbers: chunks of PNG, and the mark of Adobe RGB in the Exif.
@Suite(.serialized) struct DeclaredColorTests {
  /// Random codes, and some of gray.
  private static let codes: [UInt16] = {
    var generator = SeededGenerator(seed: 273)
    return (0..<512).flatMap { index -> [UInt16] in
      let first = UInt16.random(in: 0...65_535, using: &generator)
      guard index % 4 > 0 else { return [first, first, first] }
      return [
        first, UInt16.random(in: 0...65_535, using: &generator),
        UInt16.random(in: 0...65_535, using: &generator),
      ]
    }
  }()

  /// Every transfer characteristic and all color primaries of ITU-T H.273, in pairs as they occur, and others.
  @Test(arguments: [
    (1, 1), (4, 4), (5, 5), (6, 6), (7, 7), (8, 9), (8, 10), (9, 14), (9, 15), (10, 8), (10, 17),
    (11, 17), (11, 8), (12, 8), (12, 11), (12, 12), (22, 1), (1, 9), (1, 13), (9, 13),
  ])
  func codesOfH273MeanWhatTheStandardSays(primaries: Int, transfer: Int) throws {
    let png = try Photo.png(
      Self.codes, ("cICP", [UInt8(primaries), UInt8(transfer), 0, 1]))
    let shown = try Photo(png).shown()
    let chromaticities = ReferenceCodes.chromaticities(primaries)
    expect(shown) { code in
      ReferenceCodes.sRGB(
        code.map { ReferenceCodes.light($0, transfer: transfer) }, from: chromaticities)
    }
  }

  /// What is not specified is as in sRGB; a code of the future too.
  @Test(arguments: [(2, 8), (9, 2), (9, 99), (77, 8)])
  func whatIsNotSpecifiedIsAsInSRGB(primaries: Int, transfer: Int) throws {
    let png = try Photo.png(Self.codes, ("cICP", [UInt8(primaries), UInt8(transfer), 0, 1]))
    expect(try Photo(png).shown()) { code in
      ReferenceCodes.sRGB(
        code.map { ReferenceCodes.light($0, transfer: transfer) },
        from: ReferenceCodes.chromaticities(primaries))
    }
  }

  /// Numbers that make no colors are passed over, and this is said; those that are not specified say nothing.
  @Test(arguments: [
    ("gAMA", 1000.fourBytesBig, true), ("gAMA", 45_455.fourBytesBig, false),
    ("cHRM", [UInt8](repeating: 0, count: 32), true), ("cICP", [250, 250, 0, 1], true),
    ("cICP", [2, 8, 0, 1], false), ("cICP", [9, 2, 0, 1], false),
  ])
  func numbersThatMakeNoColorsAreSaid(chunk: String, content: [UInt8], isSaid: Bool) throws {
    let written = try Photo(Photo.png(Self.codes, (chunk, content))).written()
    #expect(written.warnings.contains(.colorsUnusable) == isSaid)
  }

  /// What the colors are called, for whoever asks for the photo's facts.
  @Test(arguments: [
    ("cICP", [1, 13, 0, 1], "sRGB"), ("cICP", [12, 13, 0, 1], "Display P3"),
    ("cICP", [9, 16, 0, 1], "Rec. 2020, PQ"), ("cICP", [1, 8, 0, 1], "Rec. 709, linear"),
    ("cICP", [9, 1, 0, 1], "Rec. 2020, curve of Rec. 709"),
    ("gAMA", 55_556.fourBytesBig, "Rec. 709, gamma 1.80"), ("sRGB", [0], "sRGB"),
  ])
  func declaredColorsHaveNames(chunk: String, content: [UInt8], name: String) throws {
    let png = try Photo.png(Self.codes, (chunk, content))
    #expect(CarriedMetadata(original: PhotoBytes(Data(png))).colorName == name)
  }

  @Test(arguments: [8, 16]) func codesOfVideoLeaveRoomAboveAndBelow(bits: Int) throws {
    let codes = bits == 16 ? Self.codes : Self.codes.map { $0 >> 8 }
    let png = try Photo.png(codes, bits: bits, ("cICP", [12, 1, 0, 0]))
    let photo = try Photo(png)
    let (unit, largest) = bits == 16 ? (256.0, 65_535.0) : (1, 255)
    func expected(_ code: [Double]) -> [Double] {
      let light = code.map { code in
        ReferenceCodes.light(
          min(max((code * largest - 16 * unit) / (219 * unit), 0), 1), transfer: 1)
      }
      return ReferenceCodes.sRGB(light, from: ReferenceCodes.chromaticities(12))
    }
    expect(try photo.shown(), codes, bits: bits, expected)
    // A render without an edit has other codes, because no profile can say these.
    let render = try photo.written()
    #expect(render.profile.map { CarriedMetadata.name($0) } == "RGB with the sRGB curve")
    expect(
      try Photo(render.bytes).shown(), codes, bits: bits, within: bits == 16 ? 0.9 : 3, expected)
  }

  @Test(arguments: [1.0, 0.5555, 0.35]) func aGammaIsTheColorOfAPNG(gamma: Double) throws {
    let number = Int((gamma * 100_000).rounded())
    let png = try Photo.png(Self.codes, ("gAMA", number.fourBytesBig))
    expect(try Photo(png).shown()) { code in
      code.map { ReferenceColor.encoded(pow($0, 100_000 / Double(number))) }
    }
  }

  @Test func chromaticitiesAreTheColorOfAPNG() throws {
    let chromaticities = [
      [0.3457, 0.3585], [0.7347, 0.2653], [0.1152, 0.8264], [0.1566, 0.0177],
    ]
    let numbers = chromaticities.flatMap { $0 }.flatMap {
      Int(($0 * 100_000).rounded()).fourBytesBig
    }
    let png = try Photo.png(Self.codes, ("gAMA", 50_000.fourBytesBig), ("cHRM", numbers))
    expect(try Photo(png).shown()) { code in
      ReferenceCodes.sRGB(code.map { pow($0, 2) }, from: chromaticities)
    }
    // Primaries that lie on one line span no colors, and white needs light.
    for broken in [[Int](repeating: 31_270, count: 8), [31_270, 0, 1, 2, 3, 4, 5, 6]] {
      let png = try Photo.png(Self.codes, ("cHRM", broken.flatMap { $0.fourBytesBig }))
      #expect(try Photo(png).shown() == Self.codes.map { Int($0) })
    }
  }

  /// White, primaries and the curve of a TIFF without a profile.
  @Test(arguments: [1.0, 1.8, 2.6]) func aTIFFStatesItsColors(power: Double) throws {
    let chromaticities = [
      [0.3457, 0.3585], [0.7347, 0.2653], [0.1152, 0.8264], [0.1566, 0.0177],
    ]
    func fractions(_ numbers: [[Double]]) -> [UInt8] {
      numbers.flatMap { $0 }.flatMap {
        Self.little(Int(($0 * 10_000).rounded()), 4) + Self.little(10_000, 4)
      }
    }
    let curve = (0..<256).flatMap { code in
      Self.little(Int((65_535 * pow(Double(code) / 255, power)).rounded()), 2)
    }
    let primaries = (319, 5, 6, fractions(Array(chromaticities[1...])))
    let tags = [
      (301, 3, 256, curve), (318, 5, 2, fractions([chromaticities[0]])), primaries,
    ]
    expect(try Photo(Self.tiff(tags), named: "a.tif").shown()) { code in
      ReferenceCodes.sRGB(code.map { pow($0, power) }, from: chromaticities)
    }
    // Without the curve it is that of sRGB, and a curve that is none is said.
    expect(try Photo(Self.tiff(Array(tags[1...])), named: "a.tif").shown()) { code in
      ReferenceCodes.sRGB(
        code.map { ReferenceCodes.light($0, transfer: 13) }, from: chromaticities)
    }
    let level = [UInt8](repeating: 128, count: 512)
    let odd = try Photo(Self.tiff([(301, 3, 256, level)]), named: "a.tif")
    #expect(try odd.shown() == Self.codes.map { Int($0) })
  }

  private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A TIFF of the codes, one row of red, green and blue, with more tags.
  private static func tiff(_ more: [(tag: Int, type: Int, count: Int, bytes: [UInt8])]) -> [UInt8] {
    let width = codes.count / 3
    var data = codes.flatMap { little(Int($0), 2) }
    func place(_ bytes: [UInt8]) -> [UInt8] {
      data += bytes
      return little(8 + data.count - bytes.count, 4)
    }
    func number(_ tag: Int, _ number: Int) -> (Int, [UInt8]) {
      (tag, little(tag, 2) + little(4, 2) + little(1, 4) + little(number, 4))
    }
    let bits =
      little(258, 2) + little(3, 2) + little(3, 4)
      + place(little(16, 2) + little(16, 2) + little(16, 2))
    let entries =
      [
        number(256, width), number(257, 1), (258, bits), number(259, 1), number(262, 2),
        number(273, 8), number(277, 3), number(278, 1), number(279, 2 * codes.count),
      ]
      + more.map { tag, type, count, bytes in
        (tag, little(tag, 2) + little(type, 2) + little(count, 4) + place(bytes))
      }
    let directory = entries.sorted { $0.0 < $1.0 }.flatMap(\.1)
    return [0x49, 0x49, 42, 0] + little(8 + data.count, 4) + data + little(entries.count, 2)
      + directory + little(0, 4)
  }

  /// The order of the PNG specification, third edition, 4.3.
  @Test func eachChunkOfColorsHidesThoseAfterIt() throws {
    let gamma = ("gAMA", 100_000.fourBytesBig)
    let sRGB: (String, [UInt8]) = ("sRGB", [0])
    let adobe = [UInt8](try Data(contentsOf: Fixture.url("profiles/adobe-rgb-compatible.icc")))
    let linear: (String, [UInt8]) = ("cICP", [1, 8, 0, 1])
    let codes = Self.codes.map { Int($0) }
    #expect(try Photo(Photo.png(Self.codes, sRGB, gamma)).shown() == codes)
    // Encoders of sRGB write its gamma beside it.
    #expect(try Photo(Photo.png(Self.codes, ("gAMA", 45_455.fourBytesBig))).shown() == codes)
    #expect(try Photo(Photo.png(Self.codes, ("cICP", [1, 13, 0, 1]), gamma)).shown() == codes)
    let profile = try Photo(Photo.png(Self.codes, profile: adobe, sRGB, gamma))
    #expect(try profile.written().profile == adobe)
    let coded = try Photo(Photo.png(Self.codes, profile: adobe, linear, sRGB))
    expect(try coded.shown()) { $0.map(ReferenceColor.encoded) }
    // PNG has no other matrix than that of red, green and blue.
    let foreign = try Photo(Photo.png(Self.codes, profile: adobe, ("cICP", [1, 8, 1, 1])))
    #expect(try foreign.written().profile == adobe)
    // A damaged profile is said, and what comes after it counts.
    let damaged = try Photo(Photo.png(Self.codes, profile: [1, 2, 3], gamma))
    expect(try damaged.shown()) { $0.map(ReferenceColor.encoded) }
    #expect(try damaged.written().warnings == [.profileDamaged])
  }

  /// Eight bits of linear light would show steps in the shadows.
  @Test func linearLightOfSixteenBitsGetsTheCurveOfSRGBInEight() throws {
    let photo = try Photo(Photo.png(Self.codes, ("cICP", [9, 8, 0, 1])))
    let kept = try photo.written()
    #expect(kept.codes == Self.codes.map { Int($0) })
    let jpeg = try photo.written(as: .jpeg)
    let edited = try photo.written(.saturation(1))
    for render in [jpeg, edited] {
      let profile = try #require(render.profile)
      guard case .matrix(let matrix)? = ColorProfile(profile)?.model else {
        Issue.record("no matrix")
        continue
      }
      #expect(matrix.responses.filter { !$0.isSRGB }.isEmpty)
    }
  }

  @Test func grayHasTheCurveOfItsNumbers() throws {
    let gray = Self.codes.prefix(256)
    let photo = try Photo(Photo.png(Array(gray), bands: 1, ("cICP", [9, 1, 0, 1])))
    let shown = try photo.shown()
    for (index, code) in gray.enumerated() {
      let light = ReferenceCodes.light(Double(code) / 65_535, transfer: 1)
      #expect(abs(Double(shown[3 * index]) / 257 - 255 * ReferenceColor.encoded(light)) < 0.1)
    }
    // The codes stay where the file can be gray; the profile says what they mean.
    let kept = try photo.written()
    #expect(kept.codes == gray.map { Int($0) })
    let again = try Photo(kept.bytes).shown()
    #expect(zip(again, shown).allSatisfy { abs($0 - $1) < 20 })
  }

  // MARK: - Exif

  /// Which marks say Adobe RGB: CIPA DC-009, and what cameras wrote before.
  @Test(
    arguments: [
      (0xFFFF, "R03", true), (nil, "R03", true), (2, nil, true), (2, "R98", true),
      (1, "R03", false), (1, "R98", false), (0xFFFF, "R98", false), (0xFFFF, nil, false),
      (nil, nil, false),
    ] as [(Int?, String?, Bool)])
  func aCameraMarksAdobeRGB(space: Int?, mark: String?, isAdobe: Bool) throws {
    let photo = try Photo(Photo.jpeg(exif: Photo.exif(space: space, mark: mark)), named: "a.jpg")
    let adobe = StandardProfile.adobeRGB.bytes
    for format in [RenderOutput.Format.jpeg, .png, .tiff, .webp] {
      for edit in [EditStack(), try .saturation(10)] {
        #expect(try photo.written(edit, as: format).profile == (isAdobe ? adobe : nil))
      }
    }
    let plain = try Photo(Photo.jpeg(exif: nil), named: "a.jpg").shown()
    let shown = try photo.shown()
    guard isAdobe else {
      #expect(shown == plain)
      return
    }
    let chromaticities = [[0.3127, 0.3290], [0.64, 0.33], [0.21, 0.71], [0.15, 0.06]]
    for start in stride(from: 0, to: plain.count, by: 999) {
      let light = plain[start..<(start + 3)].map { pow(Double($0) / 65_535, 563.0 / 256) }
      let expected = ReferenceCodes.sRGB(light, from: chromaticities)
      for (code, wanted) in zip(shown[start..<(start + 3)], expected) {
        #expect(abs(Double(code) / 257 - 255 * wanted) < 0.75)
      }
    }
  }

  /// A profile counts before the mark, and a render in sRGB does not keep the mark.
  @Test func aProfileHidesTheMark() throws {
    let exif = Photo.exif(space: 0xFFFF, mark: "R03")
    let p3 = [UInt8](try Data(contentsOf: Fixture.url("profiles/display-p3.icc")))
    let photo = try Photo(Photo.jpeg(exif: exif, profile: p3), named: "a.jpg")
    #expect(try photo.written(as: .jpeg).profile == p3)
    let sRGB = [UInt8](try Data(contentsOf: Fixture.url("profiles/srgb.icc")))
    for format in [RenderOutput.Format.jpeg, .png, .webp] {
      let render = try Photo(Photo.jpeg(exif: exif, profile: sRGB), named: "a.jpg")
        .written(as: format)
      #expect(render.profile == sRGB)
      let block = try #require(CarriedMetadata(original: PhotoBytes(Data(render.bytes))).exif)
      #expect(!block.isInAdobeRGB)
    }
  }

  // MARK: - Comparing

  private func expect(
    _ shown: [Int], _ codes: [UInt16] = Self.codes, bits: Int = 16, within tolerance: Double = 0.75,
    _ expected: ([Double]) -> [Double]
  ) {
    let largest = bits == 16 ? 65_535.0 : 255
    var worst = 0.0
    for start in stride(from: 0, to: codes.count, by: 3) {
      let wanted = expected(codes[start..<(start + 3)].map { Double($0) / largest })
      for (code, wanted) in zip(shown[start..<(start + 3)], wanted) {
        worst = max(worst, abs(Double(code) / 65_535 - wanted) * 255)
      }
    }
    // In codes of 255: profiles round their primaries to 16 bits, which shows most in dark colors at the edge of sRGB.
    #expect(worst < tolerance)
  }
}

/// A photo in a file, and what becomes of it.
private final class Photo {
  private let file: URL
  private let fixture: OpenFixture

  init(_ bytes: [UInt8], named name: String = "a.png") throws {
    file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString)-\(name)")
    try Data(bytes).write(to: file)
    fixture = OpenFixture(file)
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }

  /// The photo in 16-bit sRGB, as screens show it but for the rounding.
  func shown() throws -> [Int] {
    let opened = try OpenedPhoto(fixture.source())
    let photo = try DecodedPhoto(opened, for: DecodedPhoto.Purpose(inAnyOrder: true))
    let image = try RenderPlan(EditStack()).picture(of: photo, opened, as: .png, in: .sRGB).image
    let bytes = try image.pixelBytes()
    guard image.sampleFormat == .uint16 else { return bytes.map { 257 * Int($0) } }
    return stride(from: 0, to: bytes.count, by: 2).map {
      Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8
    }
  }

  /// A render, its codes where the format has no loss, and its profile.
  func written(
    _ edit: EditStack = EditStack(), as format: RenderOutput.Format = .png
  ) throws -> (bytes: [UInt8], codes: [Int], profile: [UInt8]?, warnings: [RenderWarning]) {
    let render = try fixture.render(edit, as: format)
    let written = try Photo(render.bytes)
    let opened = try OpenedPhoto(written.fixture.source())
    let profile =
      try opened.image.attachment(.profile) ?? opened.metadata.profile.map { Array($0) }
    return (
      render.bytes, format == .png ? try fixture.pixels(edit).codes : [], profile,
      render.report.warnings.own
    )
  }

  /// A PNG with chunks of colors.
  static func png(
    _ codes: [UInt16], bits: Int = 16, bands: Int = 3, profile: [UInt8]? = nil,
    _ chunks: (type: String, content: [UInt8])...
  ) throws -> [UInt8] {
    let image = try Image.fromMemory(
      codes.flatMap { code -> [UInt8] in
        bits == 16 ? [UInt8(code & 0xFF), UInt8(code >> 8)] : [UInt8(code)]
      }, width: 16, height: codes.count / bands / 16, bands: bands,
      format: bits == 16 ? .uint16 : .uint8)
    var encoded: [UInt8] = []
    try image.writePNG(to: Target { encoded += $0 })
    // Signature and header come first.
    let colors =
      PNGChunk.metadata(profile: profile, exif: nil, xmp: nil)
      + chunks.flatMap { PNGChunk.bytes($0.type, $0.content) }
    return encoded[..<33] + colors + encoded[33...]
  }

  /// The fixture `beach.jpg` with an Exif block and a profile of these.
  static func jpeg(exif: [UInt8]?, profile: [UInt8]? = nil) throws -> [UInt8] {
    let picture = [UInt8](try Data(contentsOf: Fixture.url("orientation/1.jpg")))
    let coded = try #require(CodedPicture(jpeg: PhotoBytes(Data(picture))))
    var bytes: [UInt8] = [0xFF, 0xD8]
    if let exif { bytes.append(segment: 0xE1, header: CarriedMetadata.exifHeader, payload: exif) }
    if let profile { bytes += ICCSegments.segments(Data(profile)) }
    return bytes + picture[coded.range]
  }

  /// An Exif block that says the colors: three directories, one after the other.
  static func exif(space: Int?, mark: String?) -> [UInt8] {
    func short(_ number: Int) -> [UInt8] { Array(number.fourBytesBig[2...]) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      short(tag) + short(type) + count.fourBytesBig + value
    }
    func directory(_ entries: [[UInt8]]) -> [UInt8] {
      short(entries.count) + entries.flatMap { $0 } + [0, 0, 0, 0]
    }
    var colors: [[UInt8]] = []
    if let space { colors.append(entry(0xA001, 3, 1, short(space) + [0, 0])) }
    let count = colors.count + (mark == nil ? 0 : 1)
    let end = 26 + 2 + 12 * count + 4
    if mark != nil { colors.append(entry(0xA005, 4, 1, end.fourBytesBig)) }
    var block = Array("MM".utf8) + [0, 42] + 8.fourBytesBig
    block += directory([entry(0x8769, 4, 1, 26.fourBytesBig)]) + directory(colors)
    if let mark { block += directory([entry(1, 2, 4, Array(mark.utf8) + [0])]) }
    return block
  }
}

extension CarriedMetadata {
  /// What a profile that Safelight made is called.
  fileprivate static func name(_ profile: [UInt8]) -> String {
    let text = String(decoding: profile.filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
    return ["RGB with the sRGB curve", "sRGB", "Display P3"].first { text.contains($0) } ?? ""
  }
}

extension Int {
  fileprivate var fourBytesBig: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
