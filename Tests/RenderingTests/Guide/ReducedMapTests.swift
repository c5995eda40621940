import SafelightTestSupport
import Testing

@testable import SafelightRendering

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
    map.gaussian(inPicture: deviation, of: (picture.width, 1)).sample(
      &row, count: picture.width, x: 0, y: 0)
    let exact = picture.gaussian(deviation)
    #expect(zip(row, exact.values).map { abs(Double($0) - $1) }.max()! * 255 < 0.6)
  }
}
