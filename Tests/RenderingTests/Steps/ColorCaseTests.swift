import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// The color adjustments against double precision.
@Suite struct ColorCaseTests {
  /// Colors outside sRGB too, as photos with Display P3 have them.
  private static let pixels: [[Double]] = {
    var random = SeededGenerator(seed: 31)
    return SamplePixels.all
      + (0..<Rounds.count(150, long: 500)).map { _ in
        (0..<3).map { _ in Double.random(in: -0.25...1.3, using: &random) }
      }
  }()

  @Test(arguments: ColorCase.all)
  func stepsFollowTheirFormulaToAHundredthOfACode(test: ColorCase) {
    let result = test.adjustment.run(on: Self.pixels)
    // Chroma is fitted to a 65,536th, and next to black a code is little light.
    let fits =
      test.adjustment is Hue || test.adjustment is ColorMixer || test.adjustment is WhiteBalance
    #expect(largestDifference(result, Self.pixels.map(test.reference)) < (fits ? 0.1 : 0.01))
  }

  @Test(
    arguments: ColorCase.few,
    ["gradients/saturated.png", "gradients/rgb-ramps.png", "gradients/grey-ramp.png"])
  func rendersOfGradientsAreTheRoundedReference(test: ColorCase, fixture: String) throws {
    try expectRoundedReference(test, OpenFixture(fixture))
  }

  @Test(arguments: ColorCase.few)
  func rendersOfAPhotoAreTheRoundedReference(test: ColorCase) throws {
    try expectRoundedReference(test, OpenFixture("goldens/beach.png"))
  }

  /// Allows one code, for values halfway between two codes.
  private func expectRoundedReference(
    _ test: ColorCase, _ fixture: borrowing OpenFixture,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let image = try OpenedPhoto(fixture.source()).image
    let before = try image.pixelBytes()
    let after = try fixture.pixels(EditStack([test.adjustment])).codes
    var known: [[UInt8]: [Int]] = [:]
    var worst = 0
    for (index, start) in stride(from: 0, to: before.count, by: image.bands).enumerated() {
      let codes = (0..<3).map { before[start + $0 % image.bands] }
      let expected =
        known[codes]
        ?? test.reference(codes.map { Double($0) / 255 }).map {
          Int((min(max($0, 0), 1) * 255).rounded())
        }
      known[codes] = expected
      for (code, wish) in zip(after[(index * 3)..<(index * 3 + 3)], expected) {
        worst = max(worst, abs(code - wish))
      }
    }
    #expect(worst <= 1, sourceLocation: sourceLocation)
  }
}

/// A color adjustment at some settings, with its reference.
struct ColorCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let adjustment: any Adjustment & ColorRenderable
  let reference: @Sendable ([Double]) -> [Double]

  private init<Value: Adjustment & ColorRenderable>(
    _ name: String, of adjustment: Value,
    _ reference: @escaping @Sendable ([Double], Value) -> [Double]
  ) {
    testDescription = name
    self.adjustment = adjustment
    self.reference = { reference($0, adjustment) }
  }

  static let all = hues + whites + mixers + gradings + grays

  /// One or two examples of each, for tests of whole renders. Strong bands of hues look around, and are tested there.
  static let few = [
    hues[1], whites[2], whites[4], mixers[mixers.count - 1], gradings[1], gradings[2], grays[1],
    grays[5],
  ]

  private static let hues = [-180.0, -75, 1, 120, 180].map { degrees in
    var hue = Hue()
    hue.amount = degrees
    return ColorCase("hue \(degrees)", of: hue) { ReferenceSeenHues.turned($0, degrees: $1.amount) }
  }

  private static let whites = [
    (2000.0, 0.0), (2500, 100), (3200, -40), (5000, 10), (6500, -100), (6500, 100), (12_000, 25),
    (25_000, 100), (25_000, -100),
  ].map { temperature, tint in
    var balance = WhiteBalance()
    balance.temperature = temperature
    balance.tint = tint
    return ColorCase("white balance \(temperature) \(tint)", of: balance) {
      ReferenceWhiteBalance.balanced($0, temperature: $1.temperature, tint: $1.tint)
    }
  }

  /// One slider at a time at either end, all of a kind at once, and a mix of everything.
  private static let mixers: [ColorCase] = {
    typealias Bands = [any WritableKeyPath<ColorMixer, ColorMixer.Band> & Sendable]
    let bands: Bands = [
      \.red, \.orange, \.yellow, \.green, \.aqua, \.blue, \.purple, \.magenta,
    ]
    let sliders: [any WritableKeyPath<ColorMixer.Band, Double> & Sendable] = [
      \.hue, \.saturation, \.luminance,
    ]
    func mixer(_ name: String, _ set: (inout ColorMixer) -> Void) -> ColorCase {
      var mixer = ColorMixer()
      set(&mixer)
      return ColorCase("mixer \(name)", of: mixer) { ReferenceSeenHues.mixed($0, $1) }
    }
    let single = bands.enumerated().map { index, band in
      mixer("band \(index)") {
        $0[keyPath: band][keyPath: sliders[index % 3]] = index % 2 == 0 ? 100 : -100
      }
    }
    let whole = [-100.0, 100].flatMap { value in
      sliders.enumerated().map { index, slider in
        mixer("slider \(index) at \(value)") {
          for band in bands { $0[keyPath: band][keyPath: slider] = value }
        }
      }
    }
    let everything = mixer("everything") {
      for (index, band) in bands.enumerated() {
        for (other, slider) in sliders.enumerated() {
          $0[keyPath: band][keyPath: slider] = Double((index * 71 + other * 131) % 201 - 100)
        }
      }
    }
    let weak = mixer("weakly") {
      for (index, band) in bands.enumerated() {
        for (other, slider) in sliders.enumerated() {
          $0[keyPath: band][keyPath: slider] = Double((index * 71 + other * 131) % 41 - 20)
        }
      }
    }
    return single + whole + [everything, weak]
  }()

  private static let gradings: [ColorCase] = [
    (-100.0, 0.0), (0, 50), (100, 100), (40, 0),
  ].map { balance, blending in
    var grading = ColorGrading()
    (grading.shadows.hue, grading.shadows.saturation) = (220, 100)
    (grading.midtones.hue, grading.midtones.luminance) = (120, -100)
    grading.midtones.saturation = 25
    (grading.highlights.hue, grading.highlights.saturation) = (360, 80)
    grading.highlights.luminance = 100
    (grading.global.hue, grading.global.saturation) = (301, 10)
    grading.global.luminance = -20
    (grading.balance, grading.blending) = (balance, blending)
    return ColorCase("grading \(balance) \(blending)", of: grading) { ReferenceHues.graded($0, $1) }
  }

  private static let grays: [ColorCase] = [
    (100.0, 0.0, 0.0), (40, 0, 0), (100, 100, 0), (100, -100, 60), (70, 35, 100), (80, -20, 40),
  ].map { amount, band, toning in
    var gray = BlackAndWhite()
    gray.amount = amount
    (gray.red, gray.orange, gray.blue) = (band, -band / 2, -band)
    (gray.green, gray.magenta) = (band / 3, band)
    (gray.toning, gray.toningHue) = (toning, 35 + 3 * toning)
    return ColorCase("black and white \(amount) \(band) \(toning)", of: gray) {
      ReferenceSeenHues.blackAndWhite($0, $1)
    }
  }
}
