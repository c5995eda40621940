import Foundation
import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What highlights, shadows, clarity and the tone equalizer promise around edges and in noise.
@Suite struct LocalToneTests {
  /// A picture of one row's grays, which repeat down the picture.
  private func picture(height: Int = 24, _ grays: [Double]) -> LocalPicture {
    LocalPicture(width: grays.count, height: height) { x, _ in
      [Double](repeating: grays[x], count: 3)
    }
  }

  /// The red codes of the row in the middle after adjustments.
  private func row(_ picture: LocalPicture, _ adjustments: [any Adjustment]) throws -> [Double] {
    let codes = try picture.adjusted(adjustments)
    let start = picture.height / 2 * picture.width
    return (0..<picture.width).map { Double(codes[(start + $0) * 3]) }
  }

  private static let opening: [[any Adjustment]] = [
    [LocalCase.highlightsShadows(0, 100)],
    [LocalCase.toneEqualizer([2, 2, 1.8, 1.4, 1, 0.6, 0.3, 0, 0])],
  ]

  /// Wide enough for a reduced picture of a fourth: the thinnest twigs are half of its pixel.
  @Test(arguments: opening, [2, 4, 8, 16])
  func twigsBeforeABrightSkyOpenLikeALargeShadow(_ adjustments: [any Adjustment], width: Int)
    throws
  {
    let (dark, sky) = (30 / 255.0, 215 / 255.0)
    let twigs = (0..<2200).map { x in x % 310 >= 155 && x % 310 < 155 + width ? dark : sky }
    let large = try row(picture((0..<2200).map { $0 < 1100 ? dark : sky }), adjustments)[500]
    let found = try row(picture(twigs), adjustments)
    #expect(large > 60)
    for x in stride(from: 155 + width / 2, to: 2200, by: 310) {
      #expect(abs(found[x] - large) <= 2, "\(found[x]) where \(large) is right")
    }
    #expect(abs(found[60] - 215) <= 1)
  }

  private static let edges: [(Double, Double)] = [
    (0.15, 0.85), (0.1, 0.6), (0.2, 0.8), (0.3, 0.7), (0.5, 0.85), (0.6, 0.98),
  ]

  /// How far the codes of a row stray from those far from an edge between two tones, from four
  /// pixels beside a soft edge on.
  private func halo(_ edge: (Double, Double), _ adjustments: [any Adjustment]) throws -> Double {
    let grays = (0..<1400).map { x -> Double in
      let share = 1 / (1 + exp(Double(700 - x) / 0.6))
      return edge.0 + (edge.1 - edge.0) * share
    }
    let found = try row(picture(grays), adjustments)
    return
      (found[..<696].map { abs($0 - found[100]) } + found[704...].map { abs($0 - found[1300]) })
      .max()!
  }

  @Test(arguments: edges, [(-100.0, 100.0), (100, -100), (0, 100), (-100, 0)])
  func highlightsAndShadowsMakeNoHalos(edge: (Double, Double), amounts: (Double, Double)) throws {
    #expect(try halo(edge, [LocalCase.highlightsShadows(amounts.0, amounts.1)]) <= 2.5)
  }

  @Test(arguments: edges)
  func theToneEqualizerMakesNoHalos(edge: (Double, Double)) throws {
    #expect(try halo(edge, Self.opening[1]) <= 2.5)
  }

  /// The strength of soft waves after an adjustment, over that before.
  private func textureGain(_ adjustments: [any Adjustment]) throws -> Double {
    let waves = picture((0..<1400).map { 0.5 + 0.04 * sin(Double($0) / 4) })
    func strength(_ adjustments: [any Adjustment]) throws -> Double {
      ReferenceMeasures.deviation(Array(try row(waves, adjustments)[200..<1200]))
    }
    return try strength(adjustments) / strength([])
  }

  @Test(arguments: edges + [(0.4, 0.6), (0.2, 0.4)])
  func clarityMakesNoHalosWhereItMakesTexturesStronger(edge: (Double, Double)) throws {
    let adjustments = [LocalCase.clarity(80)]
    #expect(try textureGain(adjustments) >= 1.6)
    #expect(try halo(edge, adjustments) <= 2.5)
  }

  /// Noise in a small photo, where it is coarsest for the reduced picture, and in a large one.
  @Test(arguments: [0.45, 0.6, 0.8], [(360, 240), (1500, 80)])
  func noiseInASkyHardlyGrows(tone: Double, size: (width: Int, height: Int)) throws {
    var random = SeededGenerator(seed: 5)
    let noisy = LocalPicture(width: size.width, height: size.height) { _, _ in
      // Nearly normal.
      var noise = 0.0
      for _ in 0..<6 { noise += Double.random(in: -1...1, using: &random) }
      return [Double](repeating: tone + 0.015 * noise, count: 3)
    }
    let before = ReferenceMeasures.deviation(noisy.codes.map(Int.init))
    for adjustment in [
      LocalCase.clarity(100), LocalCase.highlightsShadows(0, 100),
      LocalCase.highlightsShadows(-100, 0),
    ] as [any Adjustment] {
      let after = ReferenceMeasures.deviation(try noisy.adjusted([adjustment]))
      #expect(after <= 1.3 * before, "\(adjustment)")
    }
  }

  /// At one place, a lighter pixel never comes out darker, whatever surrounds it.
  @Test(
    arguments: [
      LocalCase.highlightsShadows(0, 100), LocalCase.highlightsShadows(-100, 100),
      LocalCase.highlightsShadows(100, -100), LocalCase.highlightsShadows(-100, 0),
    ] as [any GuidedRenderable])
  func tonesKeepTheirOrderInEverySurrounding(_ adjustment: any GuidedRenderable) {
    var random = SeededGenerator(seed: 11)
    for surrounding in 0..<30 {
      // From noise around one tone to noise everywhere.
      let (middle, width) = (Float(surrounding % 10) / 10, Float(surrounding / 10) * 0.2 + 0.02)
      let plane = (0..<(40 * 30)).map { _ in
        min(max(middle + Float.random(in: -width...width, using: &random), 0), 1)
      }
      let guide = ReducedPicture(planes: [plane, plane, plane], width: 40, height: 30, factor: 1)
      let context = StepContext(size: PixelSize(width: 40, height: 30), scale: 1)
      let program = adjustment.colorSteps(in: context, guidedBy: guide).program
      let tones = (0...255).map { tone in
        program.run(on: [[Double](repeating: Double(tone) / 255, count: 3)], x: 20, y: 15)[0][0]
      }
      #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
    }
  }

  /// A gray area without anything else, after the tone equalizer, in stops of light.
  private func stops(_ zones: [Double], at light: Double) -> Double {
    let gray = SRGBTransfer.encoded(light)
    let plane = [Float](repeating: Float(gray), count: 9)
    let guide = ReducedPicture(planes: [plane, plane, plane], width: 3, height: 3, factor: 1)
    let context = StepContext(size: PixelSize(width: 3, height: 3), scale: 1)
    let steps = LocalCase.toneEqualizer(zones).colorSteps(in: context, guidedBy: guide)
    return log2(SRGBTransfer.linear(steps.run(on: [[gray, gray, gray]])[0][0]) / light)
  }

  @Test func aZoneGetsItsStops() {
    let zones = [2, 1.6, 1.2, 0.9, 0.5, 0.1, -0.2, -0.6, -1]
    // Above the shoulder's beginning stops are fewer, so the zones there get darker.
    for (index, expected) in zones.enumerated() {
      #expect(abs(stops(zones, at: exp2(Double(index - 8))) - expected) < 0.01)
    }
    #expect(abs(stops(zones, at: 0.001) - 2) < 0.01)
  }

  /// Areas keep their order even with stops that jump from zone to zone.
  @Test(arguments: [
    [2, 2, 2, 0, -2, -2, 0, 2, -2], [-2, -2, 2, 2, 0, 0, -2, -2, -2],
    [2, -2, 2, -2, 2, -2, 2, -2, 2],
  ])
  func areasKeepTheirOrder(zones: [Double]) {
    let lights = (1...128).map { SRGBTransfer.linear(Double($0) / 128) }
    let found = lights.map { $0 * exp2(stops(zones, at: $0)) }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func stopsThatFallTooSteeplyMoveAsLittleAsPossible() {
    let value = LocalCase.toneEqualizer([0, 0, 2, -2, 0, 0, 1, 0.6, 0.3])
    let found = value.orderedZones
    #expect(zip(found, found.dropFirst()).allSatisfy { $1 - $0 >= -0.45 - 1e-9 })
    #expect(zip(found, ReferenceLocal.orderedStops(value)).allSatisfy { abs($0 - $1) < 1e-9 })
    // The two that are apart by too much meet in the middle; what falls gently stays as it is.
    #expect(found[6...] == [1, 0.6, 0.3])
  }

  @Test func zonesThatAPictureDoesNotHaveLeaveEveryCode() throws {
    let bright = LocalPicture(width: 300, height: 60) { x, y in
      [0.5 + Double(x) / 600, 0.55 + Double(y) / 200, 0.9]
    }
    let found = try bright.adjusted([LocalCase.toneEqualizer([2, 2, 2, 1, 0, 0, 0, 0, 0])])
    #expect(found == bright.codes.map(Int.init))
    #expect(try bright.adjusted([ToneEqualizer()]) == found)
  }

  @Test func brightZonesComeUpToWhiteAndNeverClip() {
    let gains = [Double](repeating: 2, count: 9)
    let tones = (0...64).map { step in
      let light = max(Double(step) / 64, 1e-4)
      return light * exp2(stops(gains, at: light))
    }
    #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 < $1 })
    #expect(abs(tones[64] - 1) < 1e-5)
  }
}

@Suite struct LocalLaplacianTests {
  private let range = LocalLaplacian.Range(detail: 0.1, fall: 0.4)

  private func noise(_ width: Int, _ height: Int, factor: Int) -> ReducedMap {
    var random = SeededGenerator(seed: 3)
    let values = (0..<(width * height)).map { _ in Float.random(in: 0...1, using: &random) }
    return ReducedMap(values, width: width, height: height, factor: factor)
  }

  @Test(arguments: [1, 2, 8], [3, 20])
  func aPlaceHasTheSamePullWhereverARunBegins(factor: Int, cells: Int) {
    let laplacian = LocalLaplacian(
      noise(20, 6, factor: factor), deviation: 0.05, range: range, cells: cells)
    let width = 20 * factor
    let tones = (0..<width).map { Float($0) / Float(width) }
    var whole = [Float](repeating: 0, count: width)
    laplacian.sample(tones, to: &whole, count: width, x: 0, y: factor)
    for start in stride(from: 0, to: width, by: 3) {
      for count in [1, 2, width - start] where count <= width - start {
        var part = [Float](repeating: 0, count: count)
        laplacian.sample(Array(tones[start...]), to: &part, count: count, x: start, y: factor)
        #expect(part[...] == whole[start..<(start + count)])
      }
    }
  }

  @Test(arguments: [0.0, 0.033, 0.4, 0.777, 1])
  func aFlatAreaDrawsNothing(tone: Float) {
    let flat = ReducedMap([Float](repeating: tone, count: 60), width: 10, height: 6, factor: 1)
    let laplacian = LocalLaplacian(flat, deviation: 0.1, range: range, cells: 128)
    #expect(laplacian.pull(at: flat).allSatisfy { abs($0) < 1e-6 })
  }

  /// Tones draw by their distance up to the detail, then less, and not at all beyond an edge.
  @Test(arguments: [(0.05, 0.05), (0.1, 0.1), (0.2, 0.06), (0.35, 0), (0.6, 0)])
  func tonesDrawByHowNearTheyAre(distance: Double, expected: Double) {
    let flat = ReducedMap([Float](repeating: 0.2, count: 60), width: 10, height: 6, factor: 1)
    let laplacian = LocalLaplacian(flat, deviation: 0.1, range: range, cells: 128)
    var pull: Float = 0
    laplacian.sample([Float(0.2 + distance)], to: &pull, count: 1, x: 4, y: 3)
    // Between the sampled tones the bends are cut.
    #expect(abs(Double(pull) + expected) < 0.03)
  }
}
