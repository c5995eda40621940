import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// How local adjustments go through passes, strips and filters.
@Suite struct LocalPassTests {
  private static let passes = LocalCase.all.filter { sample in
    sample.adjustments.count > 1 || sample.adjustments.contains { $0 is Blur || $0 is Glow }
  }

  @Test(arguments: passes)
  func stripsOfAJPEGGiveThePixelsThatOtherFormatsGet(_ sample: LocalCase) throws {
    let fixture = OpenFixture("beach.jpg")
    let strips = try fixture.codes(sample.adjustments, as: .jpeg)
    #expect(strips == (try fixture.codes(sample.adjustments, as: .png)))
    #expect(strips == (try fixture.codes(sample.adjustments, as: .tiff)))
  }

  @Test(arguments: LocalCase.all)
  func aFilterAtHalfStrengthLiesHalfWay(_ sample: LocalCase) throws {
    let picture = try LocalPicture(Fixture.url("goldens/beach.png"))
    let filter = try Filter(
      name: "half", title: "Half", summary: "S.", from: EditStack(sample.adjustments))
    let whole = try picture.adjusted([filter.applied()])
    let half = try picture.adjusted([filter.applied(intensity: 0.5)])
    #expect(whole == (try picture.adjusted(sample.adjustments)))
    for (index, code) in picture.codes.enumerated() where whole[index] > 0 && whole[index] < 255 {
      // Both ends are rounded.
      #expect(abs(Double(half[index]) - (Double(code) + Double(whole[index])) / 2) <= 1)
    }
  }

  @Test(arguments: [
    [LocalCase.highlightsShadows(-60, 80)] as [any Adjustment], [LocalCase.sharpen(100)],
    [LocalCase.dehaze(60), LocalCase.clarity(50)],
  ])
  func aFilterInAFilterIsMixedTwice(_ adjustments: [any Adjustment]) throws {
    let picture = try LocalPicture(Fixture.url("goldens/beach.png"))
    let inner = try Filter(name: "inner", title: "T", summary: "S.", from: EditStack(adjustments))
    let outer = try Filter(
      name: "outer", title: "T", summary: "S.", from: EditStack([inner.applied(intensity: 0.5)]))
    let nested = try picture.adjusted([outer.applied(intensity: 0.5)])
    let quarter = try picture.adjusted([inner.applied(intensity: 0.25)])
    #expect(zip(nested, quarter).allSatisfy { abs($0 - $1) <= 1 })
    #expect(nested != picture.codes.map(Int.init))
  }

  @Test(arguments: [
    [LocalCase.highlightsShadows(-60, 80)] as [any Adjustment], [LocalCase.clarity(70)],
    [LocalCase.dehaze(60)], [LocalCase.glow(60)], [LocalCase.sharpen(100, radius: 3)],
    [LocalCase.blur(12)],
  ])
  func aPreviewLooksLikeTheRender(_ adjustments: [any Adjustment]) throws {
    let fixture = OpenFixture("beach.jpg")
    func difference(_ adjustments: [any Adjustment]) throws -> Double {
      let render = try Image.fromMemory(
        fixture.codes(adjustments, as: .png), width: 1200, height: 800, bands: 3, format: .uint8
      ).resized(width: 400, height: 267).pixelBytes()
      let preview = try fixture.pixels(EditStack(adjustments), longestSide: 400).codes
      try #require(render.count == preview.count)
      let sum = zip(render, preview).reduce(0) { $0 + abs(Int($1.0) - $1.1) }
      return Double(sum) / Double(render.count)
    }
    // The decoder's own reducing makes a difference too, which stronger contrast makes larger.
    #expect(try difference(adjustments) < difference([]) + 1.25)
  }
}
