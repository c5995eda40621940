import Testing

@testable import SafelightRendering

@Suite struct ColorProgramTests {
  private let curve = ColorStep.curves(ChannelCurves { 0.5 * $0 }, in: .encoded)
  private let matrix = ColorStep.matrix(.scale(2), in: .encoded)
  private let light = ColorStep.matrix(.scale(2), in: .linear)

  @Test func neighborsOfOneKindBecomeOne() {
    let fused = ColorProgram.fused([curve, curve, matrix, matrix], from: .encoded, to: .encoded)
    #expect(fused.count == 2)
    let result = [curve, curve, matrix, matrix].run(on: [[0.8, 0.4, 0.2]])
    #expect(largestDifference(result, [[0.8, 0.4, 0.2]]) < 1e-3)
  }

  @Test func conversionsStandOnlyBetweenSpacesAndJoinTheCurvesBesideThem() {
    let fused = ColorProgram.fused([curve, light, light, curve], from: .encoded, to: .encoded)
    #expect(fused.count == 3)
    #expect(fused.map(\.space) == [.linear, .linear, .encoded])
  }

  @Test func constantsPassThroughLaterMatrices() {
    let lifted = ColorMatrix(ColorMatrix.identity.elements, offset: [0.1, 0.2, 0.3])
    let steps = [ColorStep.matrix(lifted, in: .encoded), .matrix(.scale(0.5), in: .encoded)]
    #expect(largestDifference(steps.run(on: [[0, 0.2, 0.4]]), [[0.05, 0.2, 0.35]]) < 1e-4)
  }

  @Test func aGrayPictureStaysGrayThroughCurves() {
    let gray = ColorMatrix([0.3, 0.6, 0.1, 0.3, 0.6, 0.1, 0.3, 0.6, 0.1])
    let result = [.matrix(gray, in: .encoded), curve].run(on: SamplePixels.all)
    for (pixel, source) in zip(result, SamplePixels.all) {
      #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2])
      let expected = (0.3 * source[0] + 0.6 * source[1] + 0.1 * source[2]) / 2
      #expect(abs(pixel[0] - expected) < 1e-5)
    }
  }
}
