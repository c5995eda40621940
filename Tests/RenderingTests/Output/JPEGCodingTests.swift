import Foundation
import SafelightAdjustments
import SafelightFilters
import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// The quality and the resolution of color that a render takes from its original.
@Suite struct JPEGCodingTests {
  /// Tables and a frame without a picture.
  private func header(
    _ table: [Int], factors: [(Int, Int)] = [(2, 2), (1, 1), (1, 1)], wide: Bool = false
  ) -> Data {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      let length = payload.count + 2
      return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
    }
    var entries: [UInt8] = []
    for entry in table {
      if wide { entries.append(UInt8(entry >> 8)) }
      entries.append(UInt8(entry & 255))
    }
    var components: [UInt8] = []
    for (index, factor) in factors.enumerated() {
      components += [UInt8(index + 1), UInt8(factor.0 << 4 | factor.1), index == 0 ? 0 : 1]
    }
    let frame: [UInt8] = [8, 0, 16, 0, 16, UInt8(factors.count)] + components
    let first: [UInt8] = [wide ? 0x10 : 0] + entries
    let second: [UInt8] = [1] + [UInt8](repeating: 9, count: 64)
    var file: [UInt8] = [0xFF, 0xD8]
    for (marker, payload) in [(0xDB, first), (0xDB, second), (0xC2, frame), (0xDA, [0, 0])] {
      file += segment(UInt8(marker), payload)
    }
    return Data(file)
  }

  /// Every quality of an independent encoder, libjpeg's, is found again.
  @Test(arguments: 1...100)
  func theQualityOfLibjpegIsFound(quality: Int) throws {
    let gray = DisplayPixels(width: 8, height: 8, bytes: [UInt8](repeating: 90, count: 192))
    let file = Data(try PlainJPEG.encoded(gray, quality: quality))
    let coding = try #require(JPEGCoding(PhotoBytes(file)))
    // Some of the lowest and highest qualities have the same table.
    let other = Data(try PlainJPEG.encoded(gray, quality: coding.quality))
    #expect(coding.quality == quality || tables(file) == tables(other))
    #expect(coding.chroma == .full)
  }

  private func tables(_ file: Data) -> Data? {
    file.range(of: Data([0xFF, 0xDB])).map { file[$0.lowerBound..<($0.lowerBound + 69)] }
  }

  @Test(
    arguments: [
      ([(2, 2), (1, 1), (1, 1)], ChromaSampling.halved(across: true, down: true)),
      ([(2, 1), (1, 1), (1, 1)], .halved(across: true, down: false)),
      ([(1, 2), (1, 1), (1, 1)], .halved(across: false, down: true)),
      ([(4, 1), (1, 1), (1, 1)], .halved(across: true, down: false)),
      ([(1, 1), (1, 1), (1, 1)], .full), ([(2, 2), (2, 2), (2, 2)], .full), ([(1, 1)], .full),
    ] as [([(Int, Int)], ChromaSampling)])
  func theFactorsOfTheFrameAreTheResolution(factors: [(Int, Int)], chroma: ChromaSampling) throws {
    let coding = try #require(
      JPEGCoding(PhotoBytes(header([Int](repeating: 3, count: 64), factors: factors))))
    #expect(coding.chroma == chroma)
    let wide = header([Int](repeating: 3, count: 64), factors: factors, wide: true)
    #expect(JPEGCoding(PhotoBytes(wide)) == coding)
  }

  @Test func aDamagedHeaderHasNoCoding() {
    let whole = header([Int](repeating: 3, count: 64))
    #expect(JPEGCoding(PhotoBytes(whole)) != nil)
    for count in 0..<(whole.count - 6) {
      #expect(JPEGCoding(PhotoBytes(whole.prefix(count))) == nil)
    }
  }

  /// What the render of a fixture has.
  private func coding(
    of fixture: borrowing OpenFixture, _ edit: EditStack, as output: RenderOutput = .standard
  ) throws -> JPEGCoding {
    final class Collector { var bytes = Data() }
    let collector = Collector()
    _ = try Renderer().render(
      fixture.source(), edit: edit, as: output,
      derivedFrom: OriginalReference(
        fileName: "x", sha256: String(repeating: "0", count: 64)),
      to: { collector.bytes.append(contentsOf: $0) })
    return try #require(JPEGCoding(PhotoBytes(collector.bytes)))
  }

  private func posterized(_ levels: Int) throws -> EditStack {
    var posterize = Posterize()
    posterize.levels = levels
    return try EditStack([posterize])
  }

  private func gray() throws -> EditStack {
    var gray = BlackAndWhite()
    gray.amount = 100
    return try EditStack([gray])
  }

  @Test(arguments: [60, 88, 93, 97, 100], [false, true])
  func aRenderFollowsItsOriginal(quality: Int, halved: Bool) throws {
    let fixture = OpenFixture("beach.jpg")
    final class Collector { var bytes = Data() }
    let collector = Collector()
    _ = try Renderer().render(
      fixture.source(), edit: EditStack(),
      as: RenderOutput(format: .jpeg, quality: quality, chroma: halved ? .quarter : .full),
      derivedFrom: OriginalReference(fileName: "x", sha256: String(repeating: "0", count: 64)),
      to: { collector.bytes.append(contentsOf: $0) })
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try collector.bytes.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let original = OpenFixture(url)
    let chroma = halved ? ChromaSampling.halved(across: true, down: true) : .full
    let found = try coding(of: original, .saturation(30))
    #expect(found.quality == min(max(quality, 90), 98))
    #expect(found.chroma == chroma)
    // Color edges need all of the resolution; a quality that was asked for counts.
    #expect(try coding(of: original, posterized(4)).chroma == .full)
    let asked = RenderOutput(format: .jpeg, quality: 71, following: .chroma)
    #expect(try coding(of: original, .saturation(30), as: asked).quality == 71)
    #expect(try coding(of: original, .saturation(30), as: asked).chroma == chroma)
    // Gray has no resolution of color in either.
    #expect(try coding(of: original, gray()).chroma == .halved(across: true, down: true))
  }

  @Test func otherOriginalsAndExportsHaveAllColor() throws {
    let coding = try coding(of: OpenFixture("rgb.tif"), .saturation(30))
    #expect(coding.quality == 95 && coding.chroma == .full)
    let export = try self.coding(
      of: OpenFixture("beach.jpg"), .saturation(30), as: RenderOutput(format: .jpeg))
    #expect(export.quality == 95 && export.chroma == .full)
  }

  /// Color that is halved from left to right is halved from top to bottom after a quarter turn.
  @Test func aTurnTurnsTheResolution() throws {
    let codes = (0..<2880).map { (place: Int) -> UInt8 in UInt8(place * 7 % 251) }
    let image = try Image.fromMemory(codes, width: 40, height: 24, bands: 3, format: .uint8)
    let across = ChromaSampling.halved(across: true, down: false)
    var file = Data()
    try JPEGStripEncoder(image, quality: 94, chroma: across)
      .encode(RenderedPicture(image), unless: nil) { file.append(contentsOf: $0) }
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jpg")
    try file.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let original = OpenFixture(url)
    var edit = try EditStack.saturation(30)
    #expect(try coding(of: original, edit).chroma == across)
    try edit.set("rotate", to: "90")
    #expect(try coding(of: original, edit).chroma == .halved(across: false, down: true))
    try edit.set("rotate", to: "180")
    #expect(try coding(of: original, edit).chroma == across)
  }
}

/// Which edits give light and dark different colors.
@Suite struct ColorEdgesTests {
  private func strength(_ adjustments: [any Adjustment]) throws -> Bool {
    try RenderPlan(EditStack(adjustments)).makesColorEdges(of: AsShot())
  }

  @Test func ordinaryEditsMakeNone() throws {
    for filter in ShippedFilters.all {
      #expect(
        try !RenderPlan(EditStack([filter.applied()])).makesColorEdges(of: AsShot()),
        "\(filter.name)")
    }
    var (contrast, saturation, hue) = (Contrast(), Saturation(), Hue())
    (contrast.amount, saturation.amount, hue.amount) = (60, 60, 90)
    #expect(try !strength([contrast]) && !strength([saturation]) && !strength([hue]))
    #expect(try !strength([]))
  }

  @Test(arguments: [(4, true), (6, true), (64, false)])
  func posterizingMakesSome(levels: Int, makes: Bool) throws {
    var posterize = Posterize()
    posterize.levels = levels
    #expect(try strength([posterize]) == makes)
  }

  /// A curve that turns red over, and no other channel.
  @Test func curvesThatPartChannelsMakeSome() throws {
    var curve = ToneCurve()
    curve.red = ToneCurve.Curve([.init(0, 0), .init(0.5, 1), .init(1, 0)])
    #expect(try strength([curve]))
  }

  /// The measure itself, against the same sum over independent arithmetic: a matrix that turns luma into
  /// blue has a known slope.
  @Test func theMeasureIsTheSlopeOfColor() {
    // Blue gets 0.2 of the luma added: Cb rises by 0.2 × (1 − 0.114) / 1.772, Cr falls by
    // 0.2 × 0.114 / 1.402 for each luma; codes above 1 are cut off.
    let tint = ColorMatrix([1, 0, 0, 0, 1, 0, 0.1 * 0.299, 0.1 * 0.587, 0.1 * 0.114 + 0.8])
    let found = ColorEdges.strength(of: [.matrix(tint, in: .encoded)])
    let plain = ColorEdges.strength(of: [])
    // 0.8 B + 0.1 Y' falls behind Y' by 0.1 for grays.
    let expected = hypot(0.1 * 0.886 / 1.772, 0.1 * 0.114 / 1.402)
    #expect(abs(found - plain - expected) < 0.03)
  }
}
