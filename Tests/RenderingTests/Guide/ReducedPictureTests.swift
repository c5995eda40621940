import SafelightAdjustments
import SafelightTestSupport
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

@Suite struct ReducedPictureTests {
  @Test(arguments: [(1024, 768, 1), (1025, 3, 2), (3, 4096, 4), (8193, 1, 16), (5760, 3840, 8)])
  func theFactorIsTheSmallestPowerOfTwoThatServes(width: Int, height: Int, factor: Int) {
    #expect(ReducedPicture.factor(of: PixelSize(width: width, height: height)) == factor)
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

  /// A guided adjustment sees the result of the adjustments before it, in the picture and in
  /// filters.
  @Test func laterAdjustmentsAreGuidedByWhatEarlierOnesMade() throws {
    let picture = try LocalPicture(Fixture.url("goldens/beach.png"))
    var darker = ToneCurve()
    darker.all = ToneCurve.Curve([ToneCurve.Curve.Point(0, 0), ToneCurve.Curve.Point(1, 0.4)])
    // The curve comes after highlights and shadows in the pipeline, and before clarity.
    let both = try picture.adjusted([darker, LocalCase.clarity(100)])
    let dark = LocalPicture(
      width: picture.width, height: picture.height,
      codes: try picture.adjusted([darker]).map { UInt8($0) })
    let after = try dark.adjusted([LocalCase.clarity(100)])
    #expect(zip(both, after).allSatisfy { abs($0 - $1) <= 2 })
  }
}

@Suite struct ReducedMapTests {
  private func noise(_ width: Int, _ height: Int, factor: Int = 1) -> (ReducedMap, ReferencePlane) {
    var random = SeededGenerator(seed: UInt64(width * 100 + height))
    let values = (0..<(width * height)).map { _ in Float.random(in: 0...1, using: &random) }
    let plane = ReferencePlane(width: width, height: height) { Double(values[$1 * width + $0]) }
    return (ReducedMap(values, width: width, height: height, factor: factor), plane)
  }

  private func worst(_ map: ReducedMap, _ plane: ReferencePlane) -> Double {
    zip(map.values, plane.values).map { abs(Double($0) - $1) }.max()!
  }

  @Test(arguments: [1, 2, 4, 8, 16, 32, 64], [(5, 4), (1, 1), (2, 1), (1, 3), (23, 2)])
  func placesBetweenMiddlesLieOnStraightLines(factor: Int, size: (Int, Int)) {
    let (map, plane) = noise(size.0, size.1, factor: factor)
    let (width, height) = (size.0 * factor - factor / 2, size.1 * factor - factor / 2)
    let expected = plane.sampled(factor, width: width, height: height)
    var row = [Float](repeating: 0, count: width)
    for y in 0..<height {
      map.sample(&row, count: width, x: 0, y: y)
      let worst = (0..<width).map { abs(Double(row[$0]) - expected[$0, y]) }.max()!
      #expect(worst < 1e-6)
    }
  }

  @Test(arguments: [1, 2, 4, 8, 32])
  func aPlaceHasTheSameNumberWhereverARunBegins(factor: Int) {
    let (map, _) = noise(9, 3, factor: factor)
    let width = 9 * factor
    var whole = [Float](repeating: 0, count: width)
    map.sample(&whole, count: width, x: 0, y: factor)
    for start in 0..<width {
      for count in [1, 2, factor, width - start] where count <= width - start {
        var part = [Float](repeating: 0, count: count)
        map.sample(&part, count: count, x: start, y: factor)
        #expect(part[...] == whole[start..<(start + count)])
      }
    }
  }

  @Test(arguments: [1, 3, 12, 60], [(40, 30), (1, 7), (5, 1)])
  func boxesHaveTheMeansOfWhatIsInside(radius: Int, size: (Int, Int)) {
    let (map, plane) = noise(size.0, size.1)
    #expect(worst(map.boxMean(radius: radius), plane.boxMean(radius)) < 1e-6)
    #expect(worst(map.minimum(radius: radius), plane.minimum(radius)) == 0)
  }

  @Test(arguments: [0.3, 1, 4.5, 30], [(40, 30), (1, 7), (5, 1)])
  func gaussiansMirrorThePicture(deviation: Double, size: (Int, Int)) {
    let (map, plane) = noise(size.0, size.1)
    #expect(worst(map.gaussian(deviation), plane.gaussian(deviation)) < 1e-3)
  }

  @Test(arguments: [(2, 0), (2, 1), (4, 0), (4, 3), (8, 0), (8, 1), (8, 4), (8, 7)], [2.5, 4.0])
  func aReducedGaussianIsThatOfThePicture(size: (factor: Int, missing: Int), ratio: Double) {
    let (factor, missing) = size
    // An edge, where errors are largest, somewhere inside a square, and a slope to the border.
    let picture = ReferencePlane(width: 80 * factor - missing, height: 1) { x, _ in
      x < 40 * factor + 1 ? 0.2 : 0.8 - Double(max(x - 60 * factor, 0)) / Double(40 * factor)
    }
    let small = picture.reduced(by: factor)
    let map = ReducedMap(
      small.values.map { Float($0) }, width: small.width, height: 1, factor: factor)
    let deviation = ratio * Double(factor)
    var row = [Float](repeating: 0, count: picture.width)
    map.gaussian(inPicture: deviation, of: PixelSize(width: picture.width, height: 1)).sample(
      &row, count: picture.width, x: 0, y: 0)
    let exact = picture.gaussian(deviation)
    #expect(zip(row, exact.values).map { abs(Double($0) - $1) }.max()! * 255 < 0.6)
  }
}
