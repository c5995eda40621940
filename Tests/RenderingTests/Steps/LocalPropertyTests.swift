import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What local adjustments promise to photographers.
@Suite struct LocalPropertyTests {
  private static let ends = [-100.0, -50, 0, 50, 100]

  /// An adjustment of a gray area without anything else in the picture.
  private func tone(_ value: Double, after adjustment: some GuidedRenderable) -> [Double] {
    let plane = [Float](repeating: Float(value), count: 9)
    let guide = ReducedPicture(planes: [plane, plane, plane], width: 3, height: 3, factor: 1)
    let context = StepContext(size: PixelSize(width: 3, height: 3), scale: 1)
    return adjustment.colorSteps(in: context, guidedBy: guide).run(on: [[value, value, value]])[0]
  }

  @Test(arguments: ends, ends)
  func highlightsAndShadowsKeepTheOrderOfTones(highlights: Double, shadows: Double) {
    let adjustment = LocalCase.highlightsShadows(highlights, shadows)
    let tones = (0...255).map { tone(Double($0) / 255, after: adjustment)[0] }
    #expect(tones[0] == 0)
    #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 < $1 })
    let limit = highlights > 0 && shadows > 0 ? 6.0 : 3
    #expect(abs(tone(0.461, after: adjustment)[0] - 0.461) * 255 < limit)
    if highlights >= 0 { #expect(tones[255] <= 1.000_01) }
  }

  @Test func shadowsOpenStronglyAndHighlightsComeBack() {
    #expect(tone(0.1, after: LocalCase.highlightsShadows(0, 100))[0] > 0.2)
    #expect(tone(0.85, after: LocalCase.highlightsShadows(-100, 0))[0] < 0.78)
  }

  /// The sun glows through colors whose channels are blown one after the other. From its middle outwards nothing gets
  /// brighter, nothing steps, and what a gray of the same luma keeps it keeps too.
  @Test(arguments: [-100.0, -50])
  func theGlowOfASunStaysSmooth(highlights: Double) throws {
    let side = 600
    func glow(_ distance: Double) -> [Double] {
      let light = 3 * exp(-pow(distance / 110, 1.2))
      return zip([0.28, 0.315, 0.35], [0.8, 0.72, 0.5]).map {
        SRGBTransfer.encoded(min($0 + light * $1, 1))
      }
    }
    let sun = LocalPicture(width: side, height: side) { x, y in
      glow(hypot(Double(x - side / 2), Double(y - side / 2)))
    }
    let found = try sun.adjusted([LocalCase.highlightsShadows(highlights, 0)])
    func row(_ codes: [Int]) -> [Double] {
      (side / 2..<side).map { x in
        ReferenceColor.luma((0..<3).map { Double(codes[3 * (side / 2 * side + x) + $0]) })
      }
    }
    let (before, after) = (row(sun.codes.map(Int.init)), row(found))
    #expect(zip(after, after.dropFirst()).allSatisfy { $0 >= $1 - 1 })
    func steepest(_ row: [Double]) -> Double {
      row.indices.dropFirst(8).map { (row[$0 - 8] - row[$0]) / 8 }.max()!
    }
    #expect(steepest(after) <= 1.7 * steepest(before))
    for (old, new) in zip(before, after) where old > 240 {
      #expect(new >= 255 - 1.75 * (255 - old) - 2)
    }
  }

  /// A black coat with the noise of a small sensor, slightly violet as sensors see black.
  @Test func openedBlacksShowLittleColor() throws {
    var random = SeededGenerator(seed: 21)
    let coat = LocalPicture(width: 240, height: 160) { _, _ in
      [14.0, 11, 17].map { ($0 + 5 * Double.random(in: -1...1, using: &random)) / 255 }
    }
    let opened = try coat.adjusted([LocalCase.highlightsShadows(0, 50)])
    func chroma(_ codes: [Int]) -> Double {
      let found = stride(from: 0, to: codes.count, by: 3).map { place -> Double in
        let lab = ReferenceDifference.lab((0..<3).map { Double(codes[place + $0]) })
        return hypot(lab[1], lab[2])
      }
      return found.reduce(0, +) / Double(found.count)
    }
    let before = chroma(coat.codes.map(Int.init))
    #expect(chroma(opened) <= 1.3 * before)
    #expect(Double(opened.reduce(0, +)) > 1.7 * Double(coat.codes.reduce(0) { $0 + Int($1) }))
  }

  /// Leaves, skin, wood and cloth in the shade have colors, which stay.
  @Test(arguments: [[30.0, 62, 22], [78, 52, 40], [20, 28, 66], [60, 38, 20]])
  func colorsInTheShadeStay(codes: [Double]) throws {
    let patch = LocalPicture(width: 24, height: 24) { _, _ in codes.map { $0 / 255 } }
    let found = try patch.adjusted([LocalCase.highlightsShadows(0, 60)])[..<3].map(Double.init)
    for channel in 1..<3 {
      #expect(
        abs(found[channel] / found[0] - codes[channel] / codes[0]) < 0.1 * codes[channel] / codes[0]
      )
    }
  }

  @Test(arguments: [-100.0, -40])
  func whatIsBlownWhiteStaysWhite(highlights: Double) {
    let value = LocalCase.highlightsShadows(highlights, 0)
    #expect(abs(tone(1, after: value)[0] - 1) < 1e-6)
  }

  @Test(arguments: ends, ends)
  func hueAndSaturationStay(highlights: Double, shadows: Double) throws {
    let adjustment = LocalCase.highlightsShadows(highlights, shadows)
    let planes: [[Float]] = [[0.3], [0.2], [0.05]]
    let guide = ReducedPicture(planes: planes, width: 1, height: 1, factor: 1)
    let context = StepContext(size: PixelSize(width: 1, height: 1), scale: 1)
    let pixel = adjustment.colorSteps(in: context, guidedBy: guide).run(on: [[0.3, 0.2, 0.05]])[0]
    #expect(abs(pixel[1] / pixel[0] - 2 / 3.0) < 1e-5)
    #expect(abs(pixel[2] / pixel[0] - 1 / 6.0) < 1e-5)
  }

  /// A dark and a bright half.
  private static let edge = LocalPicture(width: 400, height: 24) { x, _ in
    [Double](repeating: x < 200 ? 0.15 : 0.85, count: 3)
  }

  @Test(arguments: [(-100.0, 100.0), (100, -100), (-100, 0), (0, 100)])
  func thereAreNoHalosAtEdges(highlights: Double, shadows: Double) throws {
    let codes = try Self.edge.adjusted([LocalCase.highlightsShadows(highlights, shadows)])
    let row = (0..<400).map { codes[(12 * 400 + $0) * 3] }
    // Each half keeps its tone up to the edge; gains by a plain mean would be off by 34 codes there,
    // and those of a guided filter by 8.
    let (dark, bright) = (row[0], row[399])
    let worst = (row[..<200].map { abs($0 - dark) } + row[200...].map { abs($0 - bright) }).max()!
    #expect(worst <= 1)
  }

  @Test(arguments: [LocalCase.clarity(100), LocalCase.clarity(-100)])
  func clarityLeavesFlatAreasAndTheEndsAlone(_ adjustment: Clarity) throws {
    for gray in [0, 0.3, 1] {
      #expect(abs(tone(gray, after: adjustment)[0] - gray) < 1e-6)
    }
  }

  /// Soft waves around mid-gray.
  private static let waves = LocalPicture(width: 300, height: 30) { x, _ in
    [Double](repeating: 0.5 + 0.04 * sin(Double(x) / 2), count: 3)
  }

  @Test func clarityMakesSoftContrastStrongerOrTakesItAway() throws {
    let before = ReferenceMeasures.deviation(Self.waves.codes.map(Int.init))
    #expect(
      ReferenceMeasures.deviation(try Self.waves.adjusted([LocalCase.clarity(100)])) > 1.5 * before)
    #expect(
      ReferenceMeasures.deviation(try Self.waves.adjusted([LocalCase.clarity(-100)])) < 0.65
        * before)
  }

  @Test func dehazingTakesKnownHazeAway() throws {
    let clear = try LocalPicture(Fixture.url("goldens/beach.png"))
    // The model of the paper: the picture times 0.6, and the light of white air.
    let hazy = LocalPicture(
      width: clear.width, height: clear.height,
      codes: clear.codes.map { UInt8((Double($0) * 0.6 + 255 * 0.4).rounded()) })
    let result = try hazy.adjusted([LocalCase.dehaze(100)])
    func distance(_ codes: [Int]) -> Double {
      zip(codes, clear.codes).map { abs(Double($0) - Double($1)) }.reduce(0, +)
        / Double(codes.count)
    }
    #expect(distance(result) < 0.6 * distance(hazy.codes.map(Int.init)))
  }

  @Test func addedHazeMovesEverythingTowardsTheAir() throws {
    let clear = try LocalPicture(Fixture.url("goldens/beach.png"))
    let result = try clear.adjusted([LocalCase.dehaze(-100)])
    #expect(
      ReferenceMeasures.deviation(result) < 0.8
        * ReferenceMeasures.deviation(clear.codes.map(Int.init)))
  }

  @Test func aLightGlowsIntoTheDarkAndDarkStaysDarkFarAway() throws {
    let lamp = LocalPicture(width: 200, height: 100) { x, y in
      [Double](repeating: hypot(Double(x) - 100, Double(y) - 50) < 6 ? 1 : 0, count: 3)
    }
    let codes = try lamp.adjusted([LocalCase.glow(100)])
    let row = (0..<200).map { codes[(50 * 200 + $0) * 3] }
    #expect(row[100] == 255)
    #expect(row[108] > 30)
    #expect(row[..<60].allSatisfy { $0 == 0 })
    #expect(zip(row[100...], row[101...]).allSatisfy { $0 >= $1 })
  }

  @Test func sharpeningLeavesNoiseBelowTheThresholdAlone() throws {
    var random = SeededGenerator(seed: 3)
    let codes = (0..<(60 * 60)).flatMap { _ -> [UInt8] in
      let gray = UInt8.random(in: 127...129, using: &random)
      return [gray, gray, gray]
    }
    let noise = LocalPicture(width: 60, height: 60, codes: codes)
    #expect(try noise.adjusted([LocalCase.sharpen(100, threshold: 10)]) == codes.map(Int.init))
    #expect(
      ReferenceMeasures.deviation(try noise.adjusted([LocalCase.sharpen(100, threshold: 0)])) > 1.2)
  }

  @Test func radiiShrinkWithAPreviewUntilNothingIsLeft() {
    func reach(_ adjustment: some NeighborhoodRenderable, _ scale: Double) -> Int? {
      let context = StepContext(size: PixelSize(width: 600, height: 400), scale: scale)
      return adjustment.neighborhoodStep(in: context)?.reach
    }
    #expect(reach(LocalCase.sharpen(50, radius: 2), 1) == 7)
    #expect(reach(LocalCase.sharpen(50, radius: 2), 0.5) == 4)
    #expect(reach(LocalCase.sharpen(50), 0.29) == nil)
    #expect(reach(LocalCase.deblur(50, radius: 1.4), 1) == 48)
    #expect(reach(LocalCase.deblur(50, radius: 1.4), 0.5) == 24)
    #expect(reach(LocalCase.deblur(50), 0.29) == nil)
    #expect(reach(LocalCase.blur(4), 0.25) == 4)
  }
}

/// How local adjustments go through passes, strips and filters.
@Suite struct LocalPassTests {
  /// Several adjustments together, a glow, and blurs with a short, a middle and a long reach.
  private static let passes = LocalCase.all.filter { sample in
    sample.adjustments.count > 1
      || ["glow", "dark blue", "blur 2.0", "blur 9.0", "blur 20.0"].contains(sample.testDescription)
  }

  @Test(arguments: passes)
  func stripsOfAJPEGGiveThePixelsThatOtherFormatsGet(_ sample: LocalCase) throws {
    // Wide enough for a reduced picture, and high enough for several strips.
    let part = try LocalPicture(Fixture.url("beach.jpg"), top: 300, width: 1100, height: 200)
    try part.withFile { fixture in
      let strips = try fixture.codes(sample.adjustments, as: .jpeg)
      #expect(strips == (try fixture.codes(sample.adjustments, as: .tiff)))
      if sample.testDescription == "glow" {
        #expect(strips == (try fixture.codes(sample.adjustments, as: .png)))
      }
    }
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
    [LocalCase.toneEqualizer([2, 2, 1.5, 1, 0.5, 0, -0.3, -0.6, -1])],
    [LocalCase.dehaze(60)], [LocalCase.glow(60)], [LocalCase.sharpen(100, radius: 3)],
    [LocalCase.darkBlue], [LocalCase.gray],
    [LocalCase.blur(12)], [LocalCase.noiseReduction(60, 60)],
  ])
  func aPreviewLooksLikeTheRender(_ adjustments: [any Adjustment]) throws {
    let fixture = OpenFixture("beach.jpg")
    func difference(_ adjustments: [any Adjustment]) throws -> Double {
      let whole = try Image.fromMemory(
        fixture.codes(adjustments, as: .png), width: 1200, height: 800, bands: 3, format: .uint8)
      let render = try PictureResizing(
        to: PixelSize(width: 400, height: 267), from: whole.size, coding: .sRGB
      ).applied(to: whole).pixelBytes()
      let preview = try fixture.pixels(EditStack(adjustments), longestSide: 400).codes
      try #require(render.count == preview.count)
      let sum = zip(render, preview).reduce(0) { $0 + abs(Int($1.0) - $1.1) }
      return Double(sum) / Double(render.count)
    }
    // Light is averaged alike on both sides, so without an edit nothing differs. Sharpening differs
    // most: what it adds and takes away at edges in codes is averaged as light.
    #expect(try difference([]) < 0.01)
    #expect(try difference(adjustments) < 2.5)
  }
}
