import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

@Suite struct VignetteTests {
  /// The render of an even gray of 0.25, row after row.
  private func field(_ vignette: Vignette, width: Int, height: Int) -> [[Double]] {
    let context = StepContext(size: PixelSize(width: width, height: height), scale: 1)
    let program = vignette.colorSteps(in: context).program
    let gray = [[Double]](repeating: [0.25, 0.25, 0.25], count: width)
    return (0..<height).map { y in program.run(on: gray, y: y).map { $0[0] } }
  }

  private func vignette(_ amount: Double, roundness: Double = 0) -> Vignette {
    var vignette = Vignette()
    (vignette.amount, vignette.roundness) = (amount, roundness)
    return vignette
  }

  @Test(arguments: [-100.0, -50, 0, 60, 100], [(64, 48), (63, 47)])
  func bothSidesAreEqualToTheLastBit(roundness: Double, size: (Int, Int)) {
    let rows = field(vignette(-70, roundness: roundness), width: size.0, height: size.1)
    #expect(rows == rows.reversed())
    #expect(rows.allSatisfy { $0 == $0.reversed() })
  }

  @Test(arguments: [-100.0, 0, 100])
  func lightFallsFromTheMiddleToTheCorner(roundness: Double) {
    let rows = field(vignette(-100, roundness: roundness), width: 90, height: 60)
    let diagonal = (0..<30).map { (step: Int) -> Double in
      let column = 44 - step * 3 / 2
      return rows[29 - step][column]
    }
    #expect(zip(diagonal, diagonal.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(abs(diagonal[0] - 0.25) < 1e-6)
    #expect(diagonal[29] < 0.15)
  }

  @Test func theMiddleStaysAsItIs() {
    let rows = field(vignette(100), width: 91, height: 61)
    #expect(abs(rows[30][45] - 0.25) < 1e-6)
    #expect(rows[0][0] > 0.4)
  }

  @Test func aPreviewHasTheSameVignette() {
    let large = field(vignette(-80, roundness: -30), width: 300, height: 200)
    let small = field(vignette(-80, roundness: -30), width: 100, height: 67)
    // The middle pixel of three stands where the preview's pixel does.
    for (column, value) in small[33].enumerated() {
      #expect(abs(value - large[100][3 * column + 1]) < 0.01)
    }
  }

  @Test func hueAndSaturationOfLightStay() {
    let steps = vignette(-90).colorSteps(
      in: StepContext(size: PixelSize(width: 40, height: 30), scale: 1))
    let result = steps.run(on: [[0.8, 0.4, 0.2]])[0].map(ReferenceColor.linear)
    let before = [0.8, 0.4, 0.2].map(ReferenceColor.linear)
    #expect(abs(result[0] / result[1] - before[0] / before[1]) < 1e-3)
    #expect(abs(result[1] / result[2] - before[1] / before[2]) < 1e-3)
  }

  @Test func shapeWithoutAmountChangesNothing() {
    #expect(vignette(0, roundness: 50).colorSteps(in: .wholePhoto).isEmpty)
  }
}

@Suite struct GrainTests {
  private func grain(
    _ amount: Double = 100, size: Double = 2, roughness: Double = 50, seed: Int = 0
  ) -> Grain {
    var grain = Grain()
    (grain.amount, grain.size, grain.roughness, grain.seed) = (amount, size, roughness, seed)
    return grain
  }

  /// The first rows of the grain on an even tone, in codes of 255.
  ///
  /// - Parameter side: The longer side of the picture.
  private func field(
    _ grain: Grain, tone: Double = 0.5, width: Int = 200, height: Int = 200, side: Int = 6000,
    scale: Double = 1
  ) -> [[Double]] {
    let context = StepContext(size: PixelSize(width: side, height: 2 * side / 3), scale: scale)
    let program = grain.colorSteps(in: context).program
    let even = [[Double]](repeating: [tone, tone, tone], count: width)
    return (0..<height).map { y in program.run(on: even, y: y).map { 255 * ($0[0] - tone) } }
  }

  private func deviation(_ rows: [[Double]]) -> Double {
    ReferenceMeasures.deviation(rows.flatMap(\.self))
  }

  @Test(arguments: [1.0, 1.5, 2, 3.7])
  func strengthDoesNotDependOnSize(size: Double) {
    // 0.08 of 255 codes is 20.4.
    #expect(abs(deviation(field(grain(size: size), width: 500, height: 500)) - 20.4) < 1)
  }

  @Test(arguments: [(0.0, 0.0), (1, 0), (0.1, 0.36), (0.5, 1), (0.9, 0.36)])
  func grainIsStrongestInTheMidTones(tone: Double, share: Double) {
    let ratio = deviation(field(grain(), tone: tone)) / deviation(field(grain()))
    #expect(abs(ratio - share) < 0.01)
  }

  @Test func grainHasNoColor() {
    let steps = grain().colorSteps(in: .wholePhoto)
    let result = steps.run(on: SamplePixels.all, y: 5)
    for (pixel, source) in zip(result, SamplePixels.all) {
      #expect(abs((pixel[0] - source[0]) - (pixel[2] - source[2])) < 1e-6)
    }
  }

  @Test func theSameSeedIsTheSameGrainWhereverATileBegins() {
    let steps = grain(size: 2.3).colorSteps(in: .wholePhoto)
    let row = [[Double]](repeating: [0.5, 0.5, 0.5], count: 900)
    let whole = steps.run(on: row, x: 0, y: 17)
    let part = steps.run(on: Array(row[..<333]), x: 411, y: 17)
    #expect(part == Array(whole[411..<744]))
  }

  @Test func anotherSeedIsOtherGrain() {
    let (one, other) = (field(grain(seed: 1)), field(grain(seed: 2)))
    let both = zip(one, other).map { zip($0, $1).map { $0 + $1 } }
    // Independent numbers add up by the root of two.
    #expect(abs(deviation(both) / deviation(one) - 1.414) < 0.05)
  }

  /// A change of these numbers would change every stored edit with grain.
  @Test func theGrainOfSeedZeroIsThis() {
    let codes = field(grain(), width: 8, height: 1)[0].map { ($0 * 100).rounded() / 100 }
    #expect(codes == [12.91, 3.6, 9.35, 24.89, 32.98, 27.33, 13.93, 1.76])
  }

  @Test(arguments: [6000, 3000, 1024, 360, 9000])
  func allSizesMatchTheReference(side: Int) {
    let grain = grain(size: 2.5)
    let rows = field(grain, width: min(side, 150), height: 3, side: side)
    let reference = ReferenceEffects.fields(of: grain)
    for (y, row) in rows.enumerated() {
      for (x, value) in row.enumerated() {
        let expected = reference([0.5, 0.5, 0.5], x, y, side)
        #expect(abs(value - 255 * (expected[0] - 0.5)) < 0.01)
      }
    }
  }

  /// The means of squares of pixels.
  private func reduced(_ rows: [[Double]], by factor: Int) -> [[Double]] {
    (0..<(rows.count / factor)).map { y in
      (0..<(rows[0].count / factor)).map { x in
        var sum = 0.0
        for row in 0..<factor {
          for column in 0..<factor { sum += rows[y * factor + row][x * factor + column] }
        }
        return sum / Double(factor * factor)
      }
    }
  }

  /// A photo of 24 megapixels, made smaller, has the grain of the same photo of 6, 2.7 or 1.5; and so has
  /// its preview.
  @Test(arguments: [2, 3, 4, 8], [1.0, 1.5, 4])
  func grainBelongsToThePictureAndNotToThePixel(factor: Int, size: Double) {
    let full = reduced(field(grain(size: size), width: 240, height: 240), by: factor)
    let (width, height, side) = (240 / factor, 240 / factor, 6000 / factor)
    let small = field(grain(size: size), width: width, height: height, side: side)
    let preview = field(
      grain(size: size), width: width, height: height, side: side, scale: 1 / Double(factor))
    for (row, (one, other)) in zip(full, zip(small, preview)) {
      #expect(zip(row, one).allSatisfy { abs($0 - $1) < 0.01 })
      #expect(zip(row, other).allSatisfy { abs($0 - $1) < 0.01 })
    }
  }

  /// Seen at the same size, waves of a share of the picture have the same power at both resolutions. Those of
  /// the larger photo are taken from its own pixels.
  @Test func theSpectrumIsThatOfThePicture() {
    let large = ReferenceMeasures.spectrum(
      field(grain(size: 3), width: 600, height: 600), waves: 60)
    let small = ReferenceMeasures.spectrum(
      field(grain(size: 3), width: 300, height: 300, side: 3000), waves: 60)
    // The 240 to 480 means of a band differ by chance alone.
    for band in 0..<6 {
      let waves = (10 * band)..<(10 * band + 10)
      let ratio = large[waves].reduce(0, +) / small[waves].reduce(0, +)
      #expect((0.8...1.3).contains(ratio), "band \(band): \(ratio)")
    }
  }
}
