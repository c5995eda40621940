import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering

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
    // Far outside numbers are large, and so is what a relative error makes of them.
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
