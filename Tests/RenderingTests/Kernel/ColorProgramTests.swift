import Testing

@testable import SafelightRendering
@testable import SafelightRenderingReference

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

@Suite struct CurveTableTests {
  private func mapped(_ table: CurveTable, _ values: [Float]) -> [Float] {
    var row = values
    row.withUnsafeMutableBufferPointer { table.map($0.baseAddress!, count: $0.count) }
    return row
  }

  @Test func transferFunctionsFollowTheStandardToAThousandthOfACode() {
    let values = (-4000...16_000).map { Float($0) / 4000 }
    let encoded = mapped(CurveTable(SRGBTransfer.encoded), values)
    let linear = mapped(CurveTable(SRGBTransfer.linear), values)
    var worst = 0.0
    for (index, value) in values.enumerated() {
      let exact = (ReferenceColor.encoded(Double(value)), ReferenceColor.linear(Double(value)))
      worst = max(
        worst, abs(Double(encoded[index]) - exact.0) / max(1, abs(exact.0)),
        abs(Double(linear[index]) - exact.1) / max(1, abs(exact.1)))
    }
    #expect(worst < 0.001 / 255)
  }

  @Test func everySixteenBitCodeSurvivesLinearLight() {
    let codes = (0...65_535).map { Float($0) / 65_535 }
    let back = mapped(
      CurveTable(SRGBTransfer.encoded), mapped(CurveTable(SRGBTransfer.linear), codes))
    let worst = zip(codes, back).map { abs($0 - $1) * 65_535 }.max()!
    #expect(worst < 0.5)
  }

  @Test func aSquareRootKeepsItsShadows() {
    let values = (0...65_535).map { Float($0) / 65_535 }
    let roots = mapped(CurveTable { $0 < 0 ? 0 : $0.squareRoot() }, values)
    let worst = zip(values, roots).map { abs(Double($0).squareRoot() - Double($1)) }.max()!
    #expect(worst < 0.01 / 255)
  }

  @Test func aLevelThatClipsIsOffByLessThanATenthOfACode() {
    let values = (0...100_000).map { Float($0) / 100_000 }
    let clip: @Sendable (Double) -> Double = { min(max(($0 - 0.1) / 0.55, 0), 1) }
    let worst = zip(values, mapped(CurveTable(clip), values)).map {
      abs(clip(Double($0)) - Double($1))
    }.max()!
    #expect(worst < 0.15 / 255)
  }

  @Test(arguments: [Float.nan, -.infinity, .infinity, -0.0, .leastNonzeroMagnitude, -1e-30])
  func oddNumbersNeitherTrapNorEscapeTheTable(value: Float) {
    for negatives in [true, false] {
      let table = CurveTable(negatives: negatives, SRGBTransfer.encoded)
      #expect(mapped(table, [value])[0].isFinite)
    }
  }

  @Test func numbersBelowZeroCountAsZeroWhereNoneWereExpected() {
    let table = CurveTable(negatives: false) { $0 + 0.25 }
    #expect(mapped(table, [-3, -1e-9, 0]) == [0.25, 0.25, 0.25])
    #expect(table.outputIsNeverNegative)
    #expect(!CurveTable { $0 + 0.25 }.outputIsNeverNegative)
  }
}
