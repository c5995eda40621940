import SafelightAdjustments
import Testing

@testable import SafelightRendering

@Suite struct VignetteTests {
  /// What becomes of an even gray of 0.25, row after row.
  private func field(_ vignette: Vignette, width: Int, height: Int) -> [[Double]] {
    let context = StepContext(width: width, height: height, scale: 1)
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
    let steps = vignette(-90).colorSteps(in: StepContext(width: 40, height: 30, scale: 1))
    let result = steps.run(on: [[0.8, 0.4, 0.2]])[0].map(ReferenceColor.linear)
    let before = [0.8, 0.4, 0.2].map(ReferenceColor.linear)
    #expect(abs(result[0] / result[1] - before[0] / before[1]) < 1e-3)
    #expect(abs(result[1] / result[2] - before[1] / before[2]) < 1e-3)
  }

  @Test func shapeWithoutAmountChangesNothing() {
    #expect(vignette(0, roundness: 50).colorSteps(in: .wholePhoto).isEmpty)
  }
}
