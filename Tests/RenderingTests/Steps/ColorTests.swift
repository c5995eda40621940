import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// What hue, mixer, grading and black and white promise.
@Suite struct HueTests {
  private static let grays = (0...255).map { [Double](repeating: Double($0) / 255, count: 3) }
  private static let wheel = stride(from: 0.0, to: 360, by: 0.25).map { ReferenceHues.color($0) }

  /// Colors of photos, which mostly stay inside sRGB when they turn.
  private static let common: [[Double]] = [
    [0.8, 0.6, 0.5], [0.45, 0.65, 0.9], [0.4, 0.6, 0.3], [0.6, 0.35, 0.3], [0.5, 0.45, 0.6],
    [0.3, 0.5, 0.5],
  ]

  @Test(arguments: [90.0, -90, 30])
  func aTurnKeepsLightnessAndChromaAsTheyAreSeen(degrees: Double) {
    var hue = Hue()
    hue.amount = degrees
    for (color, result) in zip(Self.common, hue.run(on: Self.common)) {
      let (before, after) = (Self.lab(color), Self.lab(result))
      #expect(abs(after[0] - before[0]) < 0.001)
      #expect(abs(hypot(after[1], after[2]) / hypot(before[1], before[2]) - 1) < 0.05)
      let turn = ReferenceOKLab.turn(
        from: ReferenceOKLab.hue(ofEncoded: color), to: ReferenceOKLab.hue(ofEncoded: result))
      #expect(abs(ReferenceOKLab.turn(from: degrees, to: turn)) < 0.1)
    }
  }

  @Test(arguments: [90.0, -90, 180])
  func strongColorsKeepMostOfTheirLightnessAndStayInsideSRGB(degrees: Double) {
    var hue = Hue()
    hue.amount = degrees
    for (color, result) in zip(SamplePixels.all, hue.run(on: SamplePixels.all)) {
      #expect(result.allSatisfy { (-0.001...1.001).contains($0) })
      let (before, after) = (Self.lab(color)[0], Self.lab(result)[0])
      #expect(after < before + 0.002 && after > before / 1.1 - 0.002)
      if result.max()! < 0.99 { #expect(after > before - 0.002) }
    }
  }

  private static func lab(_ color: [Double]) -> [Double] {
    ReferenceOKLab.lab(color.map(ReferenceColor.linear))
  }

  @Test func turnsAddUpToAWholeOne() throws {
    var hue = Hue()
    hue.amount = 72
    let five = [Hue](repeating: hue, count: 5).flatMap { $0.colorSteps(in: .wholePhoto) }
    let weak = Self.common.map { color in color.map { 0.5 + 0.2 * ($0 - 0.5) } }
    #expect(largestDifference(five.run(on: weak), weak) < 0.01)
  }

  /// The table's turn, saturation and luminance at a hue from 0 to 6.
  private static func setting(of hue: Float, in table: UnsafePointer<Float>) -> SIMD3<Float> {
    let piece = Int(4 * hue)
    let share = 4 * hue - Float(piece)
    var setting = SIMD3<Float>.zero
    for kind in 0..<3 {
      for power in (0..<4).reversed() {
        setting[kind] = setting[kind] * share + table[(kind * 4 + power) * 32 + piece]
      }
    }
    return setting
  }

  @Test func weightsOfTheBandsAreNeverNegativeAndSumToOne() {
    let lightness = [0.0, 1, 2, 3, 4, 5, 6, 7].map { HueBands.Setting(luminance: $0) }
    let alike = HueBands([HueBands.Setting](repeating: .init(shift: 6, luminance: 1), count: 8))
    alike.withTable { table in
      for hue in stride(from: Float(0), through: 6, by: 0.01) {
        let setting = Self.setting(of: hue, in: table)
        #expect(abs(setting.x - 0.1) < 1e-6 && abs(setting.z - 1) < 1e-6)
      }
    }
    HueBands(lightness).withTable { table in
      for (band, middle) in HueBands.middles.enumerated() {
        #expect(abs(Self.setting(of: Float(middle / 60), in: table).z - Float(band)) < 1e-5)
      }
      // The wheel closes: 6 is 0 again.
      let (first, last) = (Self.setting(of: 0, in: table).z, Self.setting(of: 6, in: table).z)
      #expect(abs(first - last) < 1e-5)
    }
  }

  @Test(arguments: [Float.nan, -.infinity, .infinity, -3, 1e9])
  func noHueLeadsOutOfTheTable(hue: Float) {
    var mixer = ColorMixer()
    mixer.blue.hue = 50
    #expect(mixer.run(on: [[Double(hue), 0.5, 0.2], [0.2, 0.3, 0.4]])[1][2].isFinite)
  }

  @Test(arguments: ColorCase.all.filter { $0.adjustment is ColorMixer })
  func theMixerLeavesGraysAlone(test: ColorCase) {
    #expect(largestDifference(test.adjustment.run(on: Self.grays), Self.grays) < 1e-3)
  }

  /// A quarter of a degree apart, so that a border between bands would show as a jump.
  @Test(arguments: ColorCase.all.filter { $0.adjustment is ColorMixer })
  func theMixerHasNoBorders(test: ColorCase) {
    let wheel = Self.seenWheel(stepsOf: 0.25)
    let results = test.adjustment.run(on: wheel)
    let steps = zip(results, results.dropFirst() + [results[0]]).map {
      largestDifference([$0], [$1])
    }
    // The wheel itself moves half a code in a quarter of a degree.
    #expect(steps.max()! < 4)
  }

  /// Hues of equal lightness and chroma, inside sRGB.
  private static func seenWheel(stepsOf step: Double) -> [[Double]] {
    stride(from: 0.0, to: 360, by: step).map { degrees in
      let angle = degrees * .pi / 180
      return ReferenceOKLab.light([0.7, 0.08 * cos(angle), 0.08 * sin(angle)])
        .map(ReferenceColor.encoded)
    }
  }

  @Test(arguments: 0..<8, [-100.0, 100])
  func huesKeepTheirOrderWhileOneBandMoves(band: Int, value: Double) {
    let paths: [WritableKeyPath<ColorMixer, ColorMixer.Band>] = [
      \.red, \.orange, \.yellow, \.green, \.aqua, \.blue, \.purple, \.magenta,
    ]
    var mixer = ColorMixer()
    mixer[keyPath: paths[band]].hue = value
    let hues = mixer.run(on: Self.seenWheel(stepsOf: 0.25)).map(ReferenceOKLab.hue)
    for (before, after) in zip(hues, hues.dropFirst() + [hues[0]]) {
      let step = ReferenceOKLab.turn(from: before, to: after)
      #expect(step > 0 && step < 2)
    }
  }

  @Test func hueAndSaturationKeepLightness() {
    var mixer = ColorMixer()
    (mixer.green.hue, mixer.red.saturation, mixer.blue.saturation) = (80, 100, -100)
    for (pixel, source) in zip(mixer.run(on: SamplePixels.all), SamplePixels.all) {
      let change = Self.lab(pixel)[0] - Self.lab(source)[0]
      // A channel that is full dims the color.
      #expect(change < 0.002 && (change > -0.002 || pixel.max()! > 0.999))
    }
  }

  @Test(arguments: [0.0, 50, 100])
  func colorsOfTheGradingKeepLumaAndLeaveBlackAndWhiteClean(blending: Double) {
    var grading = ColorGrading()
    (grading.shadows.hue, grading.shadows.saturation) = (240, 100)
    (grading.highlights.hue, grading.highlights.saturation) = (45, 100)
    grading.blending = blending
    let results = grading.run(on: Self.grays)
    for (pixel, source) in zip(results, Self.grays) {
      #expect(abs(ReferenceColor.luma(pixel) - source[0]) < 1e-5)
    }
    #expect(results[0] == [0, 0, 0])
    #expect(largestDifference([results[255]], [[1, 1, 1]]) < 1e-3)
  }

  @Test(arguments: [(100.0, -100.0), (-100, 100)], [-100.0, 0, 100])
  func theGradingKeepsTheOrderOfTones(luminances: (Double, Double), balance: Double) {
    for blending in [0.0, 50, 100] {
      var grading = ColorGrading()
      (grading.shadows.luminance, grading.highlights.luminance) = luminances
      (grading.balance, grading.blending) = (balance, blending)
      let tones = grading.run(on: Self.grays).map { $0[0] }
      #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 <= $1 })
    }
  }

  @Test func aGradingWithoutColorOrLuminanceIsNoStep() {
    var grading = ColorGrading()
    (grading.balance, grading.blending, grading.shadows.hue) = (40, 10, 200)
    #expect(grading.colorSteps(in: .wholePhoto).isEmpty)
  }

  @Test(arguments: [-100.0, 0, 100])
  func blackAndWhiteGivesThreeEqualChannels(blue: Double) {
    var gray = BlackAndWhite()
    (gray.amount, gray.blue) = (100, blue)
    let results = gray.run(on: SamplePixels.all)
    #expect(results.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
    let (sky, leaf) = (
      gray.run(on: [[0.45, 0.65, 0.9]])[0][0], gray.run(on: [[0.4, 0.6, 0.3]])[0][0]
    )
    #expect(blue >= 0 || sky < 0.45)
    #expect(blue <= 0 || sky > 0.73)
    let luminance = ReferenceColor.luma([0.4, 0.6, 0.3].map(ReferenceColor.linear))
    #expect(abs(ReferenceColor.linear(leaf) - luminance) < 1e-4)
  }

  @Test func toningKeepsTheLumaOfGrays() {
    var gray = BlackAndWhite()
    (gray.amount, gray.toning) = (100, 100)
    for (pixel, source) in zip(gray.run(on: Self.grays), Self.grays) {
      #expect(abs(ReferenceColor.luma(pixel) - source[0]) < 1e-5)
      #expect(source[0] == 0 || source[0] == 1 || pixel[0] > pixel[2])
    }
  }
}

@Suite struct WhiteBalanceTests {
  private func gray(_ temperature: Double, _ tint: Double = 0) -> [Double] {
    var balance = WhiteBalance()
    (balance.temperature, balance.tint) = (temperature, tint)
    return balance.run(on: [[0.5, 0.5, 0.5]])[0]
  }

  /// What is blown has no color of its light, and what is nearly blown has little of it.
  @Test(arguments: [(3000.0, 0.0), (4000, 0), (5000, 20), (8000, 0), (12_000, -30), (6500, 60)])
  func blownWhiteStaysWhite(temperature: Double, tint: Double) {
    var balance = WhiteBalance()
    (balance.temperature, balance.tint) = (temperature, tint)
    #expect(largestDifference(balance.run(on: [[1, 1, 1]]), [[1, 1, 1]]) < 0.1)
    let grays = (0...255).map { [Double](repeating: Double($0) / 255, count: 3) }
    let result = balance.run(on: grays)
    #expect(result.joined().allSatisfy { (-0.001...1.0001).contains($0) })
    // Luminance never falls from gray to gray.
    let light = result.map { ReferenceColor.luma($0.map(ReferenceColor.linear)) }
    #expect(zip(light, light.dropFirst()).allSatisfy { $0 <= $1 + 1e-5 })
    let spread = result.map { $0.max()! - $0.min()! }
    #expect(zip(spread[230...], spread[231...]).allSatisfy { $0 >= $1 - 1e-4 })
  }

  /// Colors that the matrix takes out of sRGB; cut off, they turn by up to 30 degrees.
  @Test(
    arguments: [3500.0, 5000, 9000],
    [[255.0, 217, 0], [90, 140, 255], [255, 120, 60], [240, 60, 90]])
  func colorsThatWouldLeaveKeepTheHueOfTheirAdaptation(temperature: Double, codes: [Double]) {
    var balance = WhiteBalance()
    balance.temperature = temperature
    let color = codes.map { $0 / 255 }
    let light = color.map(ReferenceColor.linear)
    let adapted = ReferenceWhiteBalance.matrix(temperature: temperature, tint: 0).map { row in
      zip(row, light).map(*).reduce(0, +)
    }
    let result = balance.run(on: [color])[0]
    #expect(result.allSatisfy { (-0.01...1.001).contains($0) })
    let turn = ReferenceOKLab.turn(
      from: ReferenceOKLab.hue(ofEncoded: adapted.map(ReferenceColor.encoded)),
      to: ReferenceOKLab.hue(ofEncoded: result))
    #expect(abs(turn) < 0.5)
  }

  /// A. R. Robertson, J. Opt. Soc. Am. 58 (1968): u and v of black bodies, by reciprocal
  /// megakelvins.
  @Test(arguments: [
    (40.0, 0.18293, 0.27407), (50, 0.18388, 0.27709), (70, 0.18611, 0.28342),
    (100, 0.19032, 0.29326), (150, 0.19962, 0.30921), (200, 0.21142, 0.32312),
    (300, 0.24010, 0.34308), (400, 0.27218, 0.35407), (500, 0.30505, 0.35907),
  ])
  func blackBodiesLieWhereRobertsonHasThem(mired: Double, u: Double, v: Double) {
    let white = BlackBody.white(kelvin: 1e6 / mired)
    let scale = white[0] + 15 * white[1] + 3 * white[2]
    #expect(abs(4 * white[0] / scale - u) < 0.001)
    #expect(abs(6 * white[1] / scale - v) < 0.001)
  }

  @Test func aHigherTemperatureIsWarmerAllTheWay() {
    let grays = stride(from: 2500.0, through: 25_000, by: 250).map { gray($0) }
    for (cooler, warmer) in zip(grays, grays.dropFirst()) {
      #expect(cooler[0] < warmer[0] && cooler[2] > warmer[2])
    }
    let nearly = gray(6499.9)
    #expect(largestDifference([nearly], [[0.5, 0.5, 0.5]]) < 0.01)
  }

  @Test func aHigherTintIsMoreMagentaAllTheWay() {
    let grays = stride(from: -100.0, through: 100, by: 10).map { gray(6500, $0) }
    for (greener, pinker) in zip(grays, grays.dropFirst()) { #expect(greener[1] > pinker[1]) }
    #expect(grays[0][1] > grays[0][0] && grays[0][1] > grays[0][2])
    #expect(grays[20][1] < grays[20][0] && grays[20][1] < grays[20][2])
  }

  @Test(arguments: [2000.0, 4000, 9000, 25_000], [-100.0, 0, 100])
  func grayKeepsItsLuminance(temperature: Double, tint: Double) {
    let light = gray(temperature, tint).map(ReferenceColor.linear)
    let luminance = 0.212_639 * light[0] + 0.715_169 * light[1] + 0.072_192 * light[2]
    // The gray of 2000 K is a blue outside sRGB, which is led back at the same lightness of OKLab.
    #expect(abs(luminance - ReferenceColor.linear(0.5)) < (temperature > 2000 ? 1e-5 : 0.02))
  }
}
