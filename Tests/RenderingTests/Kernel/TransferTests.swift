import Testing

@testable import Rendering

@Suite struct TransferTests {
  @Test func tablesFollowTheStandardToTwoThousandthsOfACode() {
    var worst = 0.0
    for step in -4000...16_000 {
      let value = Double(step) / 4000
      let encoded = Double(SRGBTransfer.encodeTable(Float(abs(value))))
      let linear = Double(SRGBTransfer.decodeTable(Float(abs(value))))
      let (exactEncoded, exactLinear) = (
        ReferenceColour.encoded(abs(value)), ReferenceColour.linear(abs(value))
      )
      worst = max(
        worst, abs(encoded - exactEncoded) / max(1, exactEncoded),
        abs(linear - exactLinear) / max(1, exactLinear))
    }
    #expect(worst < 0.002 / 255)
  }

  @Test func negativeValuesMirrorPositiveOnes() {
    var row: [Float] = [-0.5, 0.5]
    row.withUnsafeMutableBufferPointer { SRGBTransfer.encodeTable.map($0, odd: true) }
    #expect(row[0] == -row[1] && row[1] > 0.7)
  }

  @Test func everyCodeSurvivesLinearLight() {
    var row = (0...255).map { Float($0) / 255 }
    row.withUnsafeMutableBufferPointer { row in
      SRGBTransfer.decodeTable.map(row, odd: true)
      SRGBTransfer.encodeTable.map(row, odd: true)
    }
    #expect(row.map { Int($0 * 255 + 0.5) } == Array(0...255))
  }

  @Test(arguments: [Float.nan, -.infinity, .infinity, -0.0, .leastNonzeroMagnitude])
  func oddNumbersNeitherTrapNorEscapeTheTable(value: Float) {
    let result = SRGBTransfer.encodeTable(value)
    #expect(result.isFinite && result >= 0)
  }
}
