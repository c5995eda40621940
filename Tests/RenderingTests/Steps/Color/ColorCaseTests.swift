import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering

/// The color adjustments against double precision.
@Suite struct ColorCaseTests {
  /// Colors outside sRGB too, as photos with Display P3 have them.
  private static let pixels: [[Double]] = {
    var random = SeededGenerator(seed: 31)
    return SamplePixels.all
      + (0..<2000).map { _ in (0..<3).map { _ in Double.random(in: -0.25...1.3, using: &random) } }
  }()

  @Test(arguments: ColorCase.all)
  func stepsFollowTheirFormulaToAHundredthOfACode(test: ColorCase) {
    let result = test.adjustment.run(on: Self.pixels)
    #expect(largestDifference(result, Self.pixels.map(test.reference)) < 0.01)
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

  /// At most one code off, where the exact value lies between two.
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
