import Foundation
import SafelightAdjustments
import SafelightFormats
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Pictures of a high dynamic range against arithmetic in double precision.
@Suite(.serialized) struct HDRTests {
  private static let width = 64

  /// Random codes, some of them gray, black and white.
  private static let codes: [UInt16] = {
    var generator = SeededGenerator(seed: 2390)
    let colors = (0..<(width * 48)).flatMap { index -> [UInt16] in
      let first = UInt16.random(in: 0...65_535, using: &generator)
      guard index % 4 > 0 else { return [first, first, first] }
      return [
        first, UInt16.random(in: 0...65_535, using: &generator),
        UInt16.random(in: 0...65_535, using: &generator),
      ]
    }
    return [0, 0, 0, 65_535, 65_535, 65_535] + colors.dropFirst(6)
  }()

  @Test(arguments: [
    ReferenceHDR(transfer: 16, primaries: 9, statedPeak: nil),
    ReferenceHDR(transfer: 16, primaries: 9, statedPeak: 4000),
    ReferenceHDR(transfer: 16, primaries: 12, statedPeak: 100),
    ReferenceHDR(transfer: 16, primaries: 1, statedPeak: 10_000),
    ReferenceHDR(transfer: 18, primaries: 9, statedPeak: nil),
    ReferenceHDR(transfer: 18, primaries: 12, statedPeak: nil),
  ])
  func lightIsToneMappedAsTheReferenceSays(_ reference: ReferenceHDR) throws {
    let (rendered, warnings) = try Self.render(Self.picture(reference))
    #expect(warnings == [.metadata(MetadataWarning.highDynamicRange(reference.kind).description)])
    var worst = 0.0
    for pixel in stride(from: 0, to: rendered.count, by: 3) {
      let codes = Self.codes[pixel..<(pixel + 3)].map { Double($0) / 65_535 }
      for (code, expected) in zip(rendered[pixel..<(pixel + 3)], reference.rendered(codes)) {
        worst = max(worst, abs(Double(code) / 65_535 - expected))
      }
    }
    // A twentieth of a code of 255, for tables and single precision.
    #expect(worst * 255 < 0.05)
  }

  @Test func whiteIsWhiteAndHuesStay() {
    let reference = ReferenceHDR(transfer: 16, primaries: 9, statedPeak: nil)
    #expect(reference.rendered([1, 1, 1]).allSatisfy { abs($0 - 1) < 1e-9 })
    // Light far below reference white is what it was: 50 nits of 203.
    let dim = reference.rendered([0.440_28, 0.440_28, 0.440_28])[0]
    #expect(abs(ReferenceColor.linear(dim) - 50 / 203.0) < 0.001)
  }

  /// An edit acts on the tone-mapped picture.
  @Test func editsFollowTheToneMapping() throws {
    let reference = ReferenceHDR(transfer: 16, primaries: 1, statedPeak: nil)
    let (rendered, _) = try Self.render(Self.picture(reference), .saturation(-100))
    for pixel in stride(from: 0, to: rendered.count, by: 300) {
      let codes = Self.codes[pixel..<(pixel + 3)].map { Double($0) / 65_535 }
      let gray = ReferenceSeenHues.saturated(reference.rendered(codes), amount: -100)
      #expect(abs(Double(rendered[pixel]) / 65_535 - gray[0]) * 255 < 0.1)
    }
  }

  /// Rec. 2020 and Display P3 of standard range, which a PNG may name instead of carrying a profile.
  @Test(arguments: [(9, StandardProfile.rec2020), (12, .displayP3)])
  func codesOfStandardRangeNameAProfile(primaries: Int, profile: StandardProfile) throws {
    let picture = try Self.picture(
      ReferenceHDR(transfer: 13, primaries: primaries, statedPeak: nil))
    #expect(try Self.render(picture).codes == Self.codes.map { Int($0) })
    let file = try Self.file(picture)
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = try OpenFixture(file).render().bytes
    #expect(CarriedMetadata(original: PhotoBytes(Data(bytes))).profile == Data(profile.bytes))
  }

  @Test(.enabled(if: SharedData.isThere, SharedData.absence))
  func aRealPhotoOfTenBitsIsToneMapped() throws {
    let fixture = OpenFixture(try SharedData.url("hdr/seine_hdr_rec2020.avif"))
    let image = try OpenedPhoto(fixture.source()).image
    let bytes = try image.pixelBytes()
    let stored = stride(from: 0, to: bytes.count, by: 2).map { (place: Int) -> Double in
      let code: Int = Int(bytes[place]) | Int(bytes[place + 1]) << 8
      return Double(code) / Double(1023 << 6)
    }
    let rendered = try fixture.pixels().codes
    // The file states a brightest light of 703 nits.
    let reference = ReferenceHDR(transfer: 16, primaries: 9, statedPeak: 703)
    var worst = 0.0
    for pixel in stride(from: 0, to: rendered.count, by: 3) {
      let expected = reference.rendered(Array(stored[pixel..<(pixel + 3)]))
      for (code, wanted) in zip(rendered[pixel..<(pixel + 3)], expected) {
        worst = max(worst, abs(Double(code) / 65_535 - wanted))
      }
    }
    #expect(worst * 255 < 0.05)
  }

  private static func render(
    _ png: [UInt8], _ edit: EditStack = EditStack()
  ) throws -> (codes: [Int], warnings: [RenderWarning]) {
    let file = try file(png)
    defer { try? FileManager.default.removeItem(at: file) }
    let fixture = OpenFixture(file)
    return (try fixture.pixels(edit).codes, try fixture.render(edit).report.warnings.own)
  }

  private static func file(_ png: [UInt8]) throws -> URL {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("safelight-\(UUID().uuidString).png")
    try Data(png).write(to: file)
    return file
  }

  /// ``codes`` as a PNG of 16 bits that declares its coding.
  private static func picture(_ reference: ReferenceHDR) throws -> [UInt8] {
    let image = try Image.fromMemory(
      codes.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, width: width,
      height: codes.count / 3 / width, bands: 3, format: .uint16)
    var png: [UInt8] = []
    try image.writePNG(to: Target { png += $0 })
    var chunks = chunk("cICP", [UInt8(reference.primaries), UInt8(reference.transfer), 0, 1])
    if let peak = reference.statedPeak {
      let number = Int(peak * 10_000)
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      chunks += chunk("cLLI", bytes + [0, 0, 0, 0])
    }
    return Array(png[..<33]) + chunks + Array(png[33...])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    let checksum = Zlib.checksum(body[...])
    return [0, 0, 0, UInt8(content.count)] + body
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
  }
}
