import Adjustments
import TestSupport
import Testing

@testable import Rendering

/// The colour adjustments against double precision.
@Suite struct ColourCaseTests {
  /// Colours outside sRGB too, as photos with Display P3 have them.
  private static let pixels: [[Double]] = {
    var random = SeededGenerator(seed: 31)
    return SamplePixels.all
      + (0..<2000).map { _ in (0..<3).map { _ in Double.random(in: -0.25...1.3, using: &random) } }
  }()

  @Test(arguments: ColourCase.all)
  func stepsFollowTheirFormulaToAHundredthOfACode(test: ColourCase) {
    let result = test.adjustment.run(on: Self.pixels)
    #expect(largestDifference(result, Self.pixels.map(test.reference)) < 0.01)
  }

  @Test(
    arguments: ColourCase.few,
    ["gradients/saturated.png", "gradients/rgb-ramps.png", "gradients/grey-ramp.png"])
  func rendersOfGradientsAreTheRoundedReference(test: ColourCase, fixture: String) throws {
    try expectRoundedReference(test, OpenFixture(fixture))
  }

  @Test(arguments: ColourCase.few)
  func rendersOfAPhotoAreTheRoundedReference(test: ColourCase) throws {
    try expectRoundedReference(test, OpenFixture("goldens/beach.png"))
  }

  /// At most one code off, where the exact value lies between two.
  private func expectRoundedReference(
    _ test: ColourCase, _ fixture: borrowing OpenFixture,
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
