import SafelightAdjustments
import SafelightFilters
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What each shipped look promises, on its rendering step.
@Suite struct FilterLookTests {
  private static let names = ShippedFilters.all.map(\.name)
  private static let blackAndWhite = ["noir", "mono", "tonal", "silvertone"]
  private static let grays = (0...255).map { [Double](repeating: Double($0) / 255, count: 3) }

  private func look(_ name: String, intensity: Double = 1) throws -> AppliedFilter {
    let filter = try #require(ShippedFilters.named(name))
    return filter.applied(intensity: intensity)
  }

  @Test func theSixteenLooksAreThere() {
    #expect(
      Self.names == [
        "noir", "mono", "tonal", "silvertone", "chrome", "fade", "instant", "process", "transfer",
        "sepia", "vivid", "vivid-warm", "vivid-cool", "dramatic", "dramatic-warm", "dramatic-cool",
      ])
    #expect(Self.names.allSatisfy { ShippedFilters.named($0)?.name == $0 })
    #expect(ShippedFilters.all.allSatisfy { !$0.title.isEmpty && $0.summary.hasSuffix(".") })
  }

  @Test(arguments: names, [1, 0.35])
  func looksMatchTheReference(name: String, intensity: Double) throws {
    let filter = try #require(ShippedFilters.named(name))
    let applied = filter.applied(intensity: intensity)
    let pixels = SamplePixels.all.filter { !ReferenceSeenHues.isHollow($0) }
    let result = try look(name, intensity: intensity).run(on: pixels).map(ReferenceColor.clamped)
    let expected = pixels.map {
      ReferenceColor.clamped(ReferenceColor.filter($0, applied))
    }
    #expect(largestDifference(result, expected) < 0.05)
  }

  @Test(arguments: blackAndWhite)
  func blackAndWhiteHasNoColor(name: String) throws {
    for pixel in try look(name).run(on: SamplePixels.all) {
      #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2])
    }
  }

  @Test(arguments: ["noir", "mono", "tonal"])
  func blackStaysBlackAndWhiteStaysWhite(name: String) throws {
    let ends = try look(name).run(on: [[0, 0, 0], [1, 1, 1]])
    #expect(ends[0].allSatisfy { abs($0) < 1e-6 })
    #expect(ends[1].allSatisfy { abs($0 - 1) < 1e-6 })
  }

  @Test(arguments: names)
  func lighterGraysNeverComeOutDarker(name: String) throws {
    let results = try look(name).run(on: Self.grays).map { pixel in
      0.2126 * pixel[0] + 0.7152 * pixel[1] + 0.0722 * pixel[2]
    }
    for (darker, lighter) in zip(results, results.dropFirst()) { #expect(darker <= lighter) }
  }

  @Test func contrastFallsFromNoirOverTonalToMono() throws {
    func midGrayContrast(_ name: String) throws -> Double {
      let around = try look(name).run(on: [[0.45, 0.45, 0.45], [0.55, 0.55, 0.55]])
      return (around[1][0] - around[0][0]) / 0.1
    }
    let (noir, tonal, mono) = try (
      midGrayContrast("noir"), midGrayContrast("tonal"), midGrayContrast("mono")
    )
    #expect(noir > 1.2)
    #expect(abs(tonal - 1) < 0.02)
    #expect(mono < 0.95)
  }

  @Test(arguments: names)
  func intensityZeroIsNoStepAtAll(name: String) throws {
    let filter = try #require(ShippedFilters.named(name))
    #expect(filter.applied(intensity: 0).isNeutral)
    let plan = try RenderPlan(EditStack([filter.applied(intensity: 0)]))
    #expect(plan.isNeutral)
  }

  @Test(arguments: names)
  func halfIntensityLiesHalfWay(name: String) throws {
    let whole = try look(name).run(on: SamplePixels.all)
    let half = try look(name, intensity: 0.5).run(on: SamplePixels.all)
    let expected = zip(SamplePixels.all, whole).map { zip($0, $1).map { ($0 + $1) / 2 } }
    #expect(largestDifference(half, expected) < 0.01)
  }
}
