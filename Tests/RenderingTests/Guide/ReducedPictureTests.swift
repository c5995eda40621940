import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering

@Suite struct ReducedPictureTests {
  @Test(arguments: [(1024, 768, 1), (1025, 3, 2), (3, 4096, 4), (8193, 1, 16), (5760, 3840, 8)])
  func theFactorIsTheSmallestPowerOfTwoThatServes(width: Int, height: Int, factor: Int) {
    #expect(ReducedPicture.factor(width: width, height: height) == factor)
  }

  private func reduced(_ fixture: borrowing OpenFixture) throws -> ReducedPicture {
    let opened = try OpenedPhoto(fixture.source())
    return try .reducing(DecodedPhoto(opened, for: .init()), of: opened)
  }

  @Test func pixelsAreMeansOfSquares() throws {
    var random = SeededGenerator(seed: 1)
    let picture = LocalPicture(width: 2051, height: 9) { _, _ in
      (0..<3).map { _ in Double.random(in: 0...1, using: &random) }
    }
    let found = try picture.withFile { try reduced($0) }
    let expected = picture.reference.eachPlane { $0.reduced(by: 4) }
    #expect([found.width, found.height, found.factor] == [513, 3, 4])
    for (plane, reference) in zip(found.planes, expected.planes) {
      #expect(zip(plane, reference.values).allSatisfy { abs(Double($0) - $1) < 1e-6 })
    }
  }

  @Test func aJPEGsDecoderGivesNearlyTheSameMeans() throws {
    let found = try reduced(OpenFixture("beach.jpg"))
    let whole = try LocalPicture(Fixture.url("beach.jpg")).reference.eachPlane { $0.reduced(by: 2) }
    #expect([found.width, found.height, found.factor] == [600, 400, 2])
    for (plane, reference) in zip(found.planes, whole.planes) {
      let difference = zip(plane, reference.values).map { abs(Double($0) - $1) }.reduce(0, +)
      #expect(difference / Double(plane.count) * 255 < 1)
    }
  }

  @Test func itGoesThroughTheStepsThatThePictureGoesThrough() throws {
    var picture = ReducedPicture(
      planes: [[0.2, 0.4], [0.3, 0.3], [0.1, 0.9]], width: 2, height: 1, factor: 8)
    picture.apply([.matrix(.scale(0.5), in: .encoded)])
    #expect(picture.planes == [[0.1, 0.2], [0.15, 0.15], [0.05, 0.45]])
    #expect(picture.atOwnSize.factor == 1)
  }

  /// A guided adjustment sees what those before it did, in the picture and in filters.
  @Test func laterAdjustmentsAreGuidedByWhatEarlierOnesMade() throws {
    let picture = try LocalPicture(Fixture.url("goldens/beach.png"))
    var darker = ToneCurve()
    darker.all = Curve([Curve.Point(0, 0), Curve.Point(1, 0.4)])
    // The curve comes after highlights and shadows in the pipeline, and before clarity.
    let both = try picture.adjusted([darker, LocalCase.clarity(100)])
    let dark = LocalPicture(
      width: picture.width, height: picture.height,
      codes: try picture.adjusted([darker]).map { UInt8($0) })
    let after = try dark.adjusted([LocalCase.clarity(100)])
    #expect(zip(both, after).allSatisfy { abs($0 - $1) <= 2 })
  }
}
