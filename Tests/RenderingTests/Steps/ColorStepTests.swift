import Foundation
import SafelightAdjustments
import SafelightFilters
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Each step against arithmetic in double precision: at most 0.01 of a code of 255, so that
/// rounding differs by one code only where the exact value is a tie.
@Suite struct ColorStepTests {
  private static let tolerance = 0.01
  /// Chroma is fitted to sRGB.
  private static let fitTolerance = 0.1
  private static let pixels = SamplePixels.all.filter { !ReferenceSeenHues.isHollow($0) }

  @Test(arguments: [-100, -50, 25, 100])
  func saturationMovesColorsAwayFromGray(amount: Double) throws {
    var saturation = Saturation()
    saturation.amount = amount
    let result = saturation.run(on: Self.pixels)
    let expected = Self.pixels.map { ReferenceSeenHues.saturated($0, amount: amount) }
    #expect(largestDifference(result, expected) < Self.fitTolerance)
  }

  @Test(arguments: [-100, -30, 50, 100])
  func vibranceSparesStrongColorsAndSkin(amount: Double) throws {
    var vibrance = Vibrance()
    vibrance.amount = amount
    let result = vibrance.run(on: Self.pixels)
    let expected = Self.pixels.map { ReferenceSeenHues.vibrant($0, amount: amount) }
    #expect(largestDifference(result, expected) < Self.fitTolerance)
  }

  @Test func mixerAddsUpChannels() throws {
    var mixer = ChannelMixer()
    mixer.red = ChannelMixer.Mix(red: 0.393, green: 0.769, blue: 0.189)
    mixer.green = ChannelMixer.Mix(red: -0.5, green: 1.5, blue: 0, constant: 0.05)
    let result = mixer.run(on: SamplePixels.all)
    let expected = SamplePixels.all.map { ReferenceColor.channelMixer($0, mixer) }
    #expect(largestDifference(result, expected) < Self.tolerance)
  }

  @Test(arguments: [
    [(0, 0), (0.25, 0.15), (0.75, 0.9), (1, 1)], [(0, 0.1), (0.5, 0.5), (1, 0.8)],
    [(0.1, 0), (0.101, 0.5), (0.9, 0.5), (1, 0)], [(0, 1), (1, 0)],
  ])
  func curvesFollowFritschAndCarlson(points: [(Double, Double)]) throws {
    var tone = ToneCurve()
    tone.all = ToneCurve.Curve(points.map { ToneCurve.Curve.Point($0.0, $0.1) })
    tone.blue = ToneCurve.Curve([
      ToneCurve.Curve.Point(0, 0.05), ToneCurve.Curve.Point(0.5, 0.6),
      ToneCurve.Curve.Point(1, 0.9),
    ])
    let result = tone.run(on: SamplePixels.all)
    let expected = SamplePixels.all.map { ReferenceColor.toneCurve($0, tone) }
    // 512 straight pieces for each doubling cannot quite follow the one curve that climbs half the
    // range in 0.001.
    let steep = points.contains { $0.0 == 0.101 }
    #expect(largestDifference(result, expected) < (steep ? 4 : Self.tolerance))
  }

  @Test(arguments: [
    [(0, 0), (0.25, 0.15), (0.75, 0.9), (1, 1)], [(0, 0.1), (0.5, 0.5), (1, 0.8)],
    [(0, 0), (0.3, 0.6), (1, 1)],
  ])
  func aCurveOfLuminanceScalesColors(points: [(Double, Double)]) throws {
    var tone = ToneCurve()
    tone.mode = .luminance
    tone.all = ToneCurve.Curve(points.map { ToneCurve.Curve.Point($0.0, $0.1) })
    tone.blue = ToneCurve.Curve([ToneCurve.Curve.Point(0, 0.05), ToneCurve.Curve.Point(1, 0.9)])
    let result = tone.run(on: SamplePixels.all)
    let expected = SamplePixels.all.map { ReferenceColor.toneCurve($0, tone) }
    #expect(largestDifference(result, expected) < 0.02)
  }

  /// The chroma of skin rises by less than 15 %.
  @Test(arguments: ["vivid", "chrome"])
  func looksKeepSkin(name: String) throws {
    let skin: [[Double]] = [
      [0.87, 0.68, 0.58], [0.78, 0.57, 0.47], [0.62, 0.43, 0.34], [0.45, 0.29, 0.22],
      [0.93, 0.78, 0.7], [0.7, 0.46, 0.4],
    ]
    let filter = try #require(ShippedFilters.named(name)).applied()
    for (before, after) in zip(skin, try filter.run(on: skin)) {
      let chroma = [before, after].map { color in
        let lab = ReferenceOKLab.lab(color.map(ReferenceColor.linear))
        return (lab[1] * lab[1] + lab[2] * lab[2]).squareRoot()
      }
      #expect(chroma[1] / chroma[0] < 1.15)
    }
  }

  /// Snow in the shade and paper keep their trace of color, which would be seen as blue.
  @Test(arguments: ["vivid", "chrome"])
  func looksKeepSnow(name: String) throws {
    let snow: [[Double]] = [
      [0.765, 0.804, 0.843], [0.882, 0.902, 0.941], [0.98, 0.973, 0.953],
    ]
    let filter = try #require(ShippedFilters.named(name)).applied()
    for (before, after) in zip(snow, try filter.run(on: snow)) {
      let chroma = [before, after].map { color in
        let lab = ReferenceOKLab.lab(color.map(ReferenceColor.linear))
        return hypot(lab[1], lab[2])
      }
      #expect(chroma[1] / chroma[0] < 1.25)
    }
  }

  @Test(arguments: [-80.0, 40, 100])
  func saturationAndVibranceKeepHue(amount: Double) throws {
    var saturation = Saturation()
    saturation.amount = amount
    var vibrance = Vibrance()
    vibrance.amount = amount
    for adjustment in [saturation, vibrance] as [any ColorRenderable] {
      for (before, after) in zip(SamplePixels.all, adjustment.run(on: SamplePixels.all)) {
        let labs = [before, after].map { ReferenceOKLab.lab($0.map(ReferenceColor.linear)) }
        // The hue of next to nothing means nothing.
        guard labs.allSatisfy({ hypot($0[1], $0[2]) > 0.01 }) else { continue }
        let turn = ReferenceOKLab.turn(
          from: ReferenceOKLab.hue(ofEncoded: before), to: ReferenceOKLab.hue(ofEncoded: after))
        // Next to sRGB's blue a channel is cut off.
        #expect(abs(turn) < (before[2] == before.max() ? 3.4 : 0.5))
        #expect(after.allSatisfy { $0 > -0.001 && $0 < 1.001 })
      }
    }
  }

  @Test func saturationKeepsLightnessOrLuminance() throws {
    var saturation = Saturation()
    for amount in [-99.0, -40, 30] {
      saturation.amount = amount
      for (before, after) in zip(SamplePixels.all, saturation.run(on: SamplePixels.all)) {
        let light = [before, after].map { $0.map(ReferenceColor.linear) }
        let (tones, labs) = (light.map(ReferenceColor.luma), light.map(ReferenceOKLab.lab))
        let change = amount < 0 ? tones[1] - tones[0] : labs[1][0] - labs[0][0]
        // A channel that is full dims the color.
        let rise = before[2] == before.max() ? 0.012 : 0.002
        #expect(change < rise && (change > -0.002 || amount > 0 && after.max()! > 0.999))
      }
    }
  }

  /// From an evening sky into its sun, where red is full first and then green.
  private static let glow: [[Double]] = {
    let glow: [[Double]] = [
      [150, 100, 45], [189, 129, 57], [227, 164, 69], [255, 202, 95], [255, 247, 122],
      [252, 255, 131], [251, 255, 171], [255, 255, 255],
    ]
    var ramp: [[Double]] = []
    for (start, end) in zip(glow, glow.dropFirst()) {
      for step in 0..<100 {
        let share = Double(step) / 100
        ramp.append(zip(start, end).map { ($0 + ($1 - $0) * share) / 255 })
      }
    }
    return ramp
  }()

  /// No step of a code becomes a ring.
  @Test(arguments: ["saturation", "vibrance", "color-mixer-orange-saturation", "hue"])
  func theGlowOfASunHasNoRings(parameter: String) throws {
    var stack = EditStack()
    try stack.set(parameter, to: "20")
    guard case .color(let adjustment)? = try RenderPlan(stack).items.first else {
      Issue.record("no color step")
      return
    }
    try Self.expectNoRings(adjustment.colorSteps(in: .wholePhoto).run(on: Self.glow))
  }

  @Test(arguments: ["vivid", "vivid-warm", "chrome", "dramatic"])
  func theGlowOfASunHasNoRingsWithALook(name: String) throws {
    let filter = try #require(ShippedFilters.named(name)).applied()
    try Self.expectNoRings(filter.run(on: Self.glow))
  }

  /// A blue lamp, whose red is 0 or nearly: what one code makes of the picture is no edge.
  @Test(arguments: [0, 1])
  func aBlueLampHasNoRings(red: Double) throws {
    var lamp: [[[Double]]] = []
    for green in 0..<130 {
      lamp.append([[red, Double(green), 255], [red + 1, Double(green), 255]])
    }
    var saturation = Saturation()
    saturation.amount = 25
    let looks = try ["vivid", "chrome"].map {
      try #require(ShippedFilters.named($0)).applied()
    }
    for pair in lamp {
      let colors = pair.map { $0.map { $0 / 255 } }
      for after in try [saturation.run(on: colors)] + looks.map({ try $0.run(on: colors) }) {
        #expect(largestDifference([after[0]], [after[1]]) < 12, "\(pair)")
      }
    }
  }

  private static func expectNoRings(_ after: [[Double]]) throws {
    let steps = zip(after, after.dropFirst()).map { before, after in
      zip(before, after).map { abs($0 - $1) }.max()!
    }
    #expect(steps.max()! < 4.0 / 255, "\(steps.max()! * 255)")
  }

  @Test func publishedValues() throws {
    var saturation = Saturation()
    saturation.amount = -100
    let gray = saturation.run(on: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    // BT.709: the luminance of the three primaries.
    let light = gray.map { $0.map(ReferenceColor.linear) }
    #expect(largestDifference(light, [[0.2126], [0.7152], [0.0722]]) < 1e-3)
  }

  @Test(arguments: AdjustmentRegistry.all.map { $0.id })
  func neutralAdjustmentsAreLeftOutOfThePlan(id: String) throws {
    let type = try #require(AdjustmentRegistry.all.first { $0.id == id })
    let plan = try RenderPlan(EditStack([type.init()]))
    #expect(plan.items.isEmpty)
    #expect(plan.isNeutral)
  }

  @Test func colorsOutsideSRGBKeepTheirOrderThroughACurve() throws {
    var tone = ToneCurve()
    tone.all = ToneCurve.Curve([
      ToneCurve.Curve.Point(0, 0.1), ToneCurve.Curve.Point(0.5, 0.6), ToneCurve.Curve.Point(1, 0.9),
    ])
    let inputs = stride(from: -0.5, through: 1.5, by: 0.01).map { [$0, $0, $0] }
    let results = tone.run(on: inputs).map { $0[0] }
    #expect(zip(results, results.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(arguments: [0.25, 1])
  func aFilterInAFilterIsMixedTwice(intensity: Double) throws {
    var vibrance = Vibrance()
    vibrance.amount = 0.5
    let sepia = try #require(ShippedFilters.named("sepia"))
    let edit = try EditStack([sepia.applied(intensity: 0.6), vibrance])
    let nested = try Filter(name: "nested", title: "T", summary: "S.", from: edit)
    let result = try nested.applied(intensity: intensity).run(on: SamplePixels.all)
    let expected = SamplePixels.all.map { pixel in
      let inner = ReferenceColor.filter(
        ReferenceSeenHues.vibrant(pixel, amount: 0.5), sepia.applied(intensity: 0.6))
      return zip(pixel, inner).map { $0 + intensity * ($1 - $0) }
    }
    #expect(largestDifference(result, expected) < Self.fitTolerance)
  }
}
