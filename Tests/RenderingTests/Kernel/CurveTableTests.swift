import Testing

@testable import SafelightRendering

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
