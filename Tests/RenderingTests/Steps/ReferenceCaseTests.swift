import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

/// Every adjustment at many settings against arithmetic in double precision.
@Suite struct ReferenceCaseTests {
  private static let cases = ReferenceCase.light + ReferenceCase.effects
  /// Pictures without a profile, of 8 bits and three channels.
  private static let pictures = [
    "gradients/rgb-ramps.png", "gradients/saturated.png", "gradients/chart.png",
    "goldens/beach.png",
  ]

  @Test(arguments: cases)
  func stepsMatchTheReference(_ sample: ReferenceCase) throws {
    let y = 123
    let pixels = SamplePixels.all
    let result = try sample.adjustment.colorSteps(in: .wholePhoto).run(on: pixels, y: y)
    let expected = pixels.enumerated().map { index, pixel in
      sample.reference(pixel, .init(x: index, y: y))
    }
    #expect(largestDifference(result, expected) < sample.tolerance)
  }

  @Test(arguments: cases)
  func colorsOutsideSRGBMatchTheReference(_ sample: ReferenceCase) throws {
    let pixels = stride(from: -0.5, through: 1.75, by: 1 / 64.0).map { [$0, 0.5 * $0, 1 - $0] }
    let result = try sample.adjustment.colorSteps(in: .wholePhoto).run(on: pixels)
    let expected = pixels.enumerated().map { index, pixel in
      sample.reference(pixel, .init(x: index))
    }
    // Far outside 0 to 1 numbers are large, and so is the same relative error.
    #expect(largestDifference(result, expected) < 10 * sample.tolerance)
  }

  @Test(arguments: cases, pictures)
  func picturesAreAtMostOneCodeFromTheReference(_ sample: ReferenceCase, picture: String) throws {
    let fixture = OpenFixture(picture)
    let before = try OpenedPhoto(fixture.source()).image
    let codes = try before.pixelBytes()
    let (after, edited) = try fixture.pixels(EditStack([sample.adjustment]))
    #expect(before.bands == 3 && after.bands == 3)
    var worst = 0.0
    // Every eleventh pixel meets every column and every color of the ramps.
    for index in stride(from: 0, to: before.width * before.height, by: 11) {
      let pixel = codes[(3 * index)..<(3 * index + 3)].map { Double($0) / 255 }
      let place = ReferenceCase.Place(
        x: index % before.width, y: index / before.width, width: before.width,
        height: before.height)
      let expected = ReferenceColor.clamped(sample.reference(pixel, place))
      for channel in 0..<3 {
        let difference = Double(edited[3 * index + channel]) - (255 * expected[channel]).rounded()
        worst = max(worst, abs(difference))
      }
    }
    #expect(worst <= 1)
  }
}

/// An adjustment at a setting, with its reference.
struct ReferenceCase: Sendable, CustomTestStringConvertible {
  /// A pixel's column and row, and the size of its picture.
  struct Place: Sendable {
    var x = 0
    var y = 0
    var width = StepContext.wholePhoto.size.width
    var height = StepContext.wholePhoto.size.height
  }

  let testDescription: String
  let adjustment: any Adjustment & ColorRenderable
  /// How far the result may be from the reference before rounding, in codes of 255.
  let tolerance: Double
  let reference: @Sendable ([Double], Place) -> [Double]

  init(
    _ description: String, of adjustment: any Adjustment & ColorRenderable,
    within tolerance: Double = 0.01,
    _ reference: @escaping @Sendable ([Double], Place) -> [Double]
  ) {
    testDescription = description
    self.adjustment = adjustment
    self.tolerance = tolerance
    self.reference = reference
  }

  /// A case for each of several amounts.
  static func amounts<Value: Adjustment & ColorRenderable>(
    _ path: any WritableKeyPath<Value, Double> & Sendable, at amounts: [Double],
    _ reference: @escaping @Sendable ([Double], Double) -> [Double]
  ) -> [ReferenceCase] {
    amounts.map { amount in
      var adjustment = Value()
      adjustment[keyPath: path] = amount
      return ReferenceCase("\(Value.id) \(amount)", of: adjustment) { pixel, _ in
        reference(pixel, amount)
      }
    }
  }
}

extension ReferenceCase {
  /// The tone adjustments at settings from end to end.
  static let light: [ReferenceCase] =
    amounts(\Exposure.amount, at: [-5, -1.3, 0.5, 1, 5]) { ReferenceLight.exposure($0, stops: $1) }
    + amounts(\Brightness.amount, at: slider) { ReferenceLight.brightness($0, amount: $1) }
    + amounts(\Contrast.amount, at: slider + [0.01, -0.01]) {
      ReferenceLight.contrast($0, amount: $1)
    }
    + amounts(\Gamma.amount, at: [0.1, 0.45, 1.8, 10]) { ReferenceLight.gamma($0, amount: $1) }
    + amounts(\WhitesBlacks.whites, at: slider) {
      ReferenceLight.whitesBlacks($0, whites: $1, blacks: 0)
    }
    + [(-100, -100), (-100, 100), (100, -100), (100, 100), (30, -20)].map {
      whitesBlacks($0.0, $0.1)
    }
    + [spread, tinted, squeezed, reversed, bent].map(levels)

  private static let slider: [Double] = [-100, -50, -7, 12, 50, 100]

  private static func whitesBlacks(_ whites: Double, _ blacks: Double) -> ReferenceCase {
    var adjustment = WhitesBlacks()
    (adjustment.whites, adjustment.blacks) = (whites, blacks)
    return ReferenceCase("whites \(whites), blacks \(blacks)", of: adjustment) { pixel, _ in
      ReferenceLight.whitesBlacks(pixel, whites: whites, blacks: blacks)
    }
  }

  private static func levels(_ description: String, _ levels: Levels) -> ReferenceCase {
    // Tables bend where a level clips.
    ReferenceCase("levels \(description)", of: levels, within: 0.15) { pixel, _ in
      ReferenceLight.levels(pixel, levels)
    }
  }

  private static var spread: (String, Levels) {
    var levels = Levels()
    (levels.all.black, levels.all.white, levels.all.gamma) = (20, 230, 1.2)
    return ("spread", levels)
  }

  private static var tinted: (String, Levels) {
    var levels = Levels()
    (levels.red.black, levels.green.gamma, levels.blue.outputBlack) = (30, 0.6, 40)
    (levels.red.outputWhite, levels.green.white, levels.blue.white) = (200, 210.5, 190)
    return ("for each channel", levels)
  }

  private static var squeezed: (String, Levels) {
    var levels = Levels()
    (levels.all.outputBlack, levels.all.outputWhite, levels.red.gamma) = (60, 200, 2)
    return ("squeezed", levels)
  }

  private static var reversed: (String, Levels) {
    var levels = Levels()
    (levels.all.outputBlack, levels.all.outputWhite) = (255, 0)
    return ("reversed", levels)
  }

  private static var bent: (String, Levels) {
    var levels = Levels()
    (levels.all.gamma, levels.blue.gamma) = (1.7, 0.5)
    return ("bent", levels)
  }
}

extension ReferenceCase {
  /// The effects at settings from end to end.
  static let effects: [ReferenceCase] =
    amounts(\Fade.amount, at: [1, 35, 100]) { ReferenceLight.fade($0, amount: $1) }
    + amounts(\Invert.amount, at: [20, 50, 100]) { ReferenceLight.invert($0, amount: $1) }
    + [2, 3, 8, 100, 255].map(posterize)
    + vignettes.map { vignette(amount: $0, midpoint: $1, roundness: $2, feather: $3) }
    + grains.map { grain(amount: $0, size: $1, roughness: $2, seed: $3) }

  private static func posterize(_ levels: Int) -> ReferenceCase {
    var adjustment = Posterize()
    adjustment.levels = levels
    return ReferenceCase("posterize \(levels)", of: adjustment) { pixel, _ in
      ReferenceLight.posterize(pixel, levels: levels)
    }
  }

  /// Amount, midpoint, roundness and feather.
  private static let vignettes: [(Double, Double, Double, Double)] = [
    (-100, 50, 0, 50), (100, 50, 0, 50), (-40, 0, 100, 100), (-100, 100, -100, 20),
    (60, 20, 35, 0), (-75, 70, -40, 80),
  ]

  private static func vignette(
    amount: Double, midpoint: Double, roundness: Double, feather: Double
  ) -> ReferenceCase {
    var vignette = Vignette()
    (vignette.amount, vignette.midpoint) = (amount, midpoint)
    (vignette.roundness, vignette.feather) = (roundness, feather)
    let adjustment = vignette
    return ReferenceCase(
      "vignette \(amount), \(midpoint), \(roundness), \(feather)", of: adjustment
    ) { pixel, place in
      ReferenceEffects.vignette(
        pixel, adjustment, x: place.x, y: place.y, width: place.width, height: place.height)
    }
  }

  /// Amount, size, roughness and seed.
  private static let grains: [(Double, Double, Double, Int)] = [
    (100, 1, 0, 0), (50, 1.5, 50, 1), (100, 2.3, 100, 4_294_967_295), (30, 20, 20, 7),
  ]

  private static func grain(
    amount: Double, size: Double, roughness: Double, seed: Int
  ) -> ReferenceCase {
    var grain = Grain()
    (grain.amount, grain.size, grain.roughness, grain.seed) = (amount, size, roughness, seed)
    let reference = ReferenceEffects.fields(of: grain)
    return ReferenceCase(
      "grain \(amount), \(size), \(roughness), \(seed)", of: grain
    ) { pixel, place in
      reference(pixel, place.x, place.y, max(place.width, place.height))
    }
  }
}
