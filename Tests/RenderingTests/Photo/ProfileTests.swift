import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightMetadata
@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Photos whose colors only their profile, or the packing of their pixels, explains.
@Suite(.serialized) struct ProfileTests {
  /// L*, a* and b* of some colors inside sRGB.
  private static let labs: [[Double]] = [
    [100, 0, 0], [0, 0, 0], [53, 0, 0], [50, 40, 20], [60, -40, 30], [40, 10, -45], [85, -5, 60],
  ]

  /// Codes of sRGB as shares of the largest code, by the published formulas with white D50.
  private static func sRGB(_ lab: [Double]) -> [Double] {
    let y = (lab[0] + 16) / 116
    let terms = [y + lab[1] / 500, y, y - lab[2] / 200]
    let light = terms.map { $0 > 6.0 / 29 ? pow($0, 3) : 3 * pow(6.0 / 29, 2) * ($0 - 4.0 / 29) }
    let (x, z) = (light[0] * 0.964_22, light[2] * 0.825_21)
    // From XYZ relative to D50 to linear sRGB, with Bradford's adaptation.
    return [
      3.133_856_1 * x - 1.616_866_7 * light[1] - 0.490_614_6 * z,
      -0.978_768_4 * x + 1.916_141_5 * light[1] + 0.033_454_0 * z,
      0.071_945_3 * x - 0.228_991_4 * light[1] + 1.405_242_7 * z,
    ].map { ReferenceColor.encoded(min(max($0, 0), 1)) }
  }

  @Test(arguments: [8, 16]) func labIsConvertedWhateverItsPacking(bits: Int) throws {
    let samples = Self.labs.flatMap { lab -> [UInt8] in
      let (lightness, units) = bits == 8 ? (255.0, 1.0) : (65_535.0, 256.0)
      let numbers = [
        Int((lab[0] / 100 * lightness).rounded()), Int(lab[1] * units), Int(lab[2] * units),
      ]
      return numbers.flatMap { bits == 8 ? [UInt8(truncatingIfNeeded: $0)] : $0.twoBytes }
    }
    let tiff = TIFF.picture(samples, width: Self.labs.count, bits: bits, photometric: 8)
    let rendered = try Rendered(tiff, named: "lab.tif", .saturation(0.001))
    #expect(rendered.warnings == [.convertedToSRGB(from: "CIE Lab")])
    // A quarter of a code of 255 in a*, b* of whole units, and half a step of L*.
    let tolerance = bits == 8 ? 0.004 : 0.001
    for (index, lab) in Self.labs.enumerated() {
      for (code, expected) in zip(rendered.codes[(3 * index)...].prefix(3), Self.sRGB(lab)) {
        #expect(abs(Double(code) / 65_535 - expected) < tolerance, "\(lab)")
      }
    }
  }

  /// L* to 255 or 65,280, a* and b* from 128 or 32,768.
  @Test(arguments: [8, 16]) func labOfICCProfilesIsConverted(bits: Int) throws {
    let samples = Self.labs.flatMap { lab -> [UInt8] in
      let (lightness, units) = bits == 8 ? (255.0, 1.0) : (65_280.0, 256.0)
      let numbers = [
        Int((lab[0] / 100 * lightness).rounded()), Int((lab[1] + 128) * units),
        Int((lab[2] + 128) * units),
      ]
      return numbers.flatMap { bits == 8 ? [UInt8($0)] : $0.twoBytes }
    }
    let tiff = TIFF.picture(samples, width: Self.labs.count, bits: bits, photometric: 9)
    for edit in [try EditStack.saturation(0.001), EditStack()] {
      let rendered = try Rendered(tiff, named: "lab.tif", edit)
      #expect(rendered.warnings == [.convertedToSRGB(from: "ICC Lab")])
      let tolerance = bits == 8 ? 0.004 : 0.001
      for (index, lab) in Self.labs.enumerated() {
        for (code, expected) in zip(rendered.codes[(3 * index)...].prefix(3), Self.sRGB(lab)) {
          #expect(abs(Double(code) / 65_535 - expected) < tolerance, "\(lab)")
        }
      }
    }
  }

  @Test(arguments: ["A2B0", "A2B1", "A2B2"])
  func theTableThatAProfileHasConvertsItsColors(tag: String) throws {
    let rendered = try Rendered(
      PNG.patches(with: TableProfile(tag, "RGB ").bytes), named: "a.png", .saturation(0.001))
    #expect(rendered.warnings == [.convertedToSRGB(from: "a profile of tables")])
    #expect(rendered.profile == StandardProfile.sRGB.bytes)
    for (index, patch) in PNG.patches.enumerated() {
      let expected = Self.sRGB([Double(patch.reduce(0, +)) / 765 * 100, 0, 0])
      for (code, wanted) in zip(rendered.codes[(3 * index)...].prefix(3), expected) {
        #expect(abs(Double(code) / 65_535 - wanted) < 0.004, "\(patch)")
      }
    }
  }

  @Test func whatCannotBeConvertedIsNotTagged() throws {
    let profile = TableProfile("A2B0", "RGB ", isWhole: false).bytes
    let rendered = try Rendered(PNG.patches(with: profile), named: "a.png", .saturation(0.001))
    #expect(rendered.warnings == [.profileDamaged])
    #expect(rendered.profile == nil)
    #expect(rendered.codes == PNG.patches.flatMap { $0 })
  }

  @Test func aTableOfCMYKIsUsedWhateverItsIntent() throws {
    let jpeg = [UInt8](try Data(contentsOf: Fixture.url("cmyk.jpg")))
    let profile = Data(TableProfile("A2B0", "CMYK").bytes)
    let tagged = jpeg[..<2] + ICCSegments.segments(profile) + jpeg[2...]
    let rendered = try Rendered(Array(tagged), named: "a.jpg", .saturation(0.001))
    #expect(rendered.warnings == [.convertedToSRGB(from: "CMYK")])
    // The profile says that every ink is gray.
    for start in stride(from: 0, to: rendered.codes.count, by: 3) {
      let pixel = rendered.codes[start..<(start + 3)]
      #expect(pixel.max()! - pixel.min()! < 200)
    }
  }

  @Test(arguments: [0.0, 10])
  func aPNGKeepsProfilesThatLibpngLeavesOut(saturation: Double) throws {
    var profile = [UInt8](try Data(contentsOf: Fixture.url("profiles/display-p3.icc")))
    // White a unit off in the last digit, and an intent that no standard knows.
    profile[71] ^= 1
    profile[64] = 1
    let rendered = try Rendered(PNG.patches(with: profile), named: "a.png", .saturation(saturation))
    #expect(rendered.profile == profile)
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: SharedData.sample(
      in: ["photos", "formats", "hdr", "metadata", "orientation", "lut"],
      extensions: ["jpg", "jpeg", "png", "tif", "tiff", "webp", "heic", "avif"]))
  func aPNGKeepsTheProfilesOfRealPhotos(file: String) throws {
    let fixture = OpenFixture(try SharedData.url(file))
    guard let opened = try? OpenedPhoto(fixture.source()), let image = try? opened.image,
      let profile = image.attachment(.profile) ?? opened.metadata.profile.map({ Array($0) }),
      let model = ColorProfile(profile)?.model
    else { return }
    switch model {
    case .sRGB, .matrix:
      let rendered = try Rendered(PNG.patches(with: profile), named: "a.png", .saturation(10))
      #expect(rendered.profile == profile)
    case .table:
      let rendered = try Rendered(PNG.patches(with: profile), named: "a.png", EditStack())
      #expect(rendered.profile == profile)
    case .gray, .grayTable, .cmyk, .other: break
    }
  }

  /// lcms2 takes curves that fall by a hair, and others too; it refuses what has no curve.
  @Test func curvesThatFallAHairAreUsed() throws {
    let rise = (0...1023).map { Int((pow(Double($0) / 1023, 2.2) * 65_535).rounded()) }
    var dip = rise
    dip[600] = dip[599] - 1
    for curve in [rise, dip] {
      guard case .gray(let response)? = ColorProfile(GrayProfile(curve).bytes)?.model else {
        Issue.record("not a curve")
        continue
      }
      for code in stride(from: 0, through: 1, by: 0.01) {
        #expect(abs(response.linear(code) - pow(code, 2.2)) < 0.000_05)
        if code > 0.05 { #expect(abs(response.code(response.linear(code)) - code) < 0.002) }
      }
    }
    // What falls by more is lcms2's.
    var fall = rise
    for index in 500..<600 { fall[index] = 20_000 - index }
    for curve in [fall, rise.reversed()] {
      guard case .grayTable? = ColorProfile(GrayProfile(curve).bytes)?.model else {
        Issue.record("not lcms2's")
        continue
      }
    }
    #expect(ColorProfile(GrayProfile(rise, tag: "xxxx").bytes) == nil)
  }

  /// A curve that is level makes one color of all codes: lcms2 takes it, but no picture has it.
  @Test(arguments: [[0], [0, 0], [65_535, 65_535], [30_000, 30_000, 30_000]])
  func aProfileOfOneColorIsDamaged(curve: [Int]) throws {
    #expect(ColorProfile(GrayProfile(curve).bytes) == nil)
  }

  /// The published constants of Rec. 709 meet with a step down of 0.00006.
  @Test func theConstantsOfRec709AreUsed() throws {
    let constants = [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
    let samples = (0...4096).map { index -> Double in
      let code = Double(index) / 4096
      return code >= constants[4]
        ? pow(constants[1] * code + constants[2], constants[0]) : constants[3] * code
    }
    #expect(zip(samples, samples.dropFirst()).contains { $0 > $1 })
    let response = try #require(ToneResponse(samples))
    #expect(abs(response.linear(0.5) - pow(0.599 / 1.099, 1 / 0.45)) < 1e-6)
  }

  /// With a connection space of Lab the curve gives the lightness (ICC.1:2022, F.2).
  @Test func aGrayCurveToLabGivesLightness() throws {
    let profile = GrayProfile([0, 65_535], connection: "Lab ").bytes
    guard case .gray(let response)? = ColorProfile(profile)?.model else {
      Issue.record("not a curve")
      return
    }
    for lightness in stride(from: 0.0, through: 100, by: 5) {
      let expected = ReferenceColor.linear(Self.sRGB([lightness, 0, 0])[1])
      #expect(abs(response.linear(lightness / 100) - expected) < 0.000_1)
    }
  }

  @Test(arguments: [RenderOutput.Format.jpeg, .png, .tiff, .webp])
  func grayIsRightInEachFormat(format: RenderOutput.Format) throws {
    let fixture = OpenFixture("profiles/grey-profile.jpg")
    let (bytes, report) = try fixture.render(as: format, quality: 100)
    #expect(report.warnings.allSatisfy { if case .decoder = $0 { true } else { false } })
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let written = try OpenedPhoto(OpenFixture(file).source())
    let image = try written.image
    let profile = try #require(
      image.attachment(.profile) ?? written.metadata.profile.map { Array($0) })
    let isGray = format != .webp
    #expect(image.bands == (isGray ? 1 : 3))
    #expect(Array(profile[16..<20]) == Array((isGray ? "GRAY" : "RGB ").utf8))
    let before = try OpenedPhoto(fixture.source()).image.pixelBytes()
    let after = try image.pixelBytes()
    for index in stride(from: 0, to: before.count, by: 7) {
      let light = pow(Double(before[index]) / 255, 2.2)
      let expected = isGray ? Double(before[index]) : ReferenceColor.encoded(light) * 255
      #expect(abs(Double(after[isGray ? index : 3 * index]) - expected) < 1.1)
    }
  }

  @Test(arguments: StandardProfile.named)
  func profilesOfConvertedRendersHaveNames(profile: StandardProfile) throws {
    let text = String(
      decoding: profile.bytes.filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
    #expect(text.contains(profile.name))
    #expect(text.contains("No copyright, use freely"))
    #expect(!text.contains("built-in"))
    #expect(ColorProfile(profile.bytes) != nil)
    #expect(ProfileName(profile.bytes)?.text == profile.name)
  }
}

/// A render to PNG, read again.
private struct Rendered {
  let warnings: [RenderWarning]
  let codes: [Int]
  let profile: [UInt8]?

  init(_ bytes: [UInt8], named name: String, _ edit: EditStack) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    let fixture = OpenFixture(file)
    let result = try fixture.render(edit)
    // The decoder's warnings about a flawed profile belong to libpng.
    warnings = result.report.warnings.own
    codes = try fixture.pixels(edit).codes
    profile = CarriedMetadata(original: PhotoBytes(Data(result.bytes))).profile.map { Array($0) }
  }
}

private enum PNG {
  static let patches = [
    [255, 255, 255], [0, 0, 0], [90, 90, 90], [250, 30, 80], [10, 200, 120],
  ]

  /// A picture of one row with a profile.
  static func patches(with profile: [UInt8]) throws -> [UInt8] {
    let image = try Image.fromMemory(
      patches.flatMap { $0.map(UInt8.init) }, width: patches.count, height: 1, bands: 3,
      format: .uint8)
    var encoded: [UInt8] = []
    try image.writePNG(to: Target { encoded += $0 })
    // Signature and header come first.
    let chunks = PNGChunk.metadata(profile: profile, exif: nil, xmp: nil)
    return encoded[..<33] + chunks + encoded[33...]
  }
}

private enum TIFF {
  /// A picture of one row and three samples a pixel, without compression (TIFF 6.0).
  static func picture(_ samples: [UInt8], width: Int, bits: Int, photometric: Int) -> [UInt8] {
    let fields: [(tag: Int, value: Int)] = [
      (256, width), (257, 1), (258, 122), (259, 1), (262, photometric), (273, 128), (277, 3),
      (278, 1), (279, samples.count),
    ]
    // The directory takes the bytes 8 to 121; the three numbers of bits and the samples follow it.
    let directory = fields.flatMap { field in
      field.tag.twoBytes + 3.twoBytes + (field.tag == 258 ? 3 : 1).fourBytes
        + field.value.fourBytes
    }
    return Array("II*\0".utf8) + 8.fourBytes + fields.count.twoBytes + directory + 0.fourBytes
      + bits.twoBytes + bits.twoBytes + bits.twoBytes + samples
  }
}

/// A profile whose only colors are in one table: the mean of the channels is the lightness.
private struct TableProfile {
  let bytes: [UInt8]

  init(_ tag: String, _ space: String, isWhole: Bool = true) {
    let channels = space == "CMYK" ? 4 : 3
    // ICC.1:2022, 10.11 (lut16Type): an identity matrix, curves of two points, two points a side.
    let identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { ($0 << 16).fourBytesBig }
    let curve = [0, 0, 0xFF, 0xFF] as [UInt8]
    var table = Array("mft2".utf8) + [0, 0, 0, 0, UInt8(channels), 3, 2, 0] + identity
    table += [0, 2, 0, 2] + (0..<channels).flatMap { _ in curve }
    for corner in 0..<(1 << channels) {
      let share = Double(corner.nonzeroBitCount) / Double(channels)
      let lightness = Int((0xFF00 * (channels == 4 ? 1 - share : share)).rounded())
      table += lightness.twoBytesBig + [0x80, 0, 0x80, 0]
    }
    table += (0..<3).flatMap { _ in curve }
    if !isWhole { table.removeLast(60) }
    let start = 128 + 4 + 12
    var header = (start + table.count).fourBytesBig + [0, 0, 0, 0, 2, 0x40, 0, 0]
    header += Array((space == "CMYK" ? "prtr" : "mntr").utf8) + Array("\(space)Lab ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28)
    header += [0xF6D6, 0x10000, 0xD32D].flatMap { $0.fourBytesBig }
    header += [UInt8](repeating: 0, count: 48)
    bytes =
      header + 1.fourBytesBig + Array(tag.utf8) + start.fourBytesBig
      + table.count.fourBytesBig + table
  }
}

/// A gray profile with a curve of points.
private struct GrayProfile {
  let bytes: [UInt8]

  init(_ points: [Int], connection: String = "XYZ ", tag: String = "kTRC") {
    // ICC.1:2022, 10.6 (curveType).
    var curve = Array("curv".utf8) + [0, 0, 0, 0] + points.count.fourBytesBig
    for point in points { curve += point.twoBytesBig }
    let start = 128 + 4 + 12
    var header = (start + curve.count).fourBytesBig + [0, 0, 0, 0, 2, 0x40, 0, 0]
    header += Array("mntrGRAY\(connection)".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28)
    header += [0xF6D6, 0x10000, 0xD32D].flatMap { $0.fourBytesBig }
    header += [UInt8](repeating: 0, count: 48)
    bytes =
      header + 1.fourBytesBig + Array(tag.utf8) + start.fourBytesBig + curve.count.fourBytesBig
      + curve
  }
}

extension Int {
  /// The last bytes, the lowest first.
  fileprivate var twoBytes: [UInt8] { twoBytesBig.reversed() }
  fileprivate var fourBytes: [UInt8] { fourBytesBig.reversed() }
  /// The last bytes, the highest first.
  fileprivate var twoBytesBig: [UInt8] { fourBytesBig.suffix(2) }
  fileprivate var fourBytesBig: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
