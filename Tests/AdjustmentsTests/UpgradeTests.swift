import SafelightAdjustments
import Testing

/// Edits of earlier versions mean what they meant.
@Suite struct UpgradeTests {
  private func entry(_ json: String) throws -> StackEntry {
    try StackEntry(json: JSONValue(parsing: json.utf8))
  }

  @Test(arguments: [("-1", -100.0), ("0.29", 29), ("0.3300", 33), ("0.0625", 6.25), ("1e0", 100)])
  func sharesOfSaturationAndVibranceBecomePercent(share: String, percent: Double) throws {
    let saturation = try entry(#"{"id":"saturation","version":1,"amount":\#(share)}"#)
    #expect((saturation.adjustment as? Saturation)?.amount == percent)
    let vibrance = try entry(#"{"id":"vibrance","version":1,"amount":\#(share)}"#)
    #expect((vibrance.adjustment as? Vibrance)?.amount == percent)
    #expect(vibrance.json.text == #"{"id":"vibrance","version":1,"amount":\#(share)}"#)
  }

  @Test(arguments: ["1.01", "\"1\"", "[1]"])
  func whatVersionOneRefusedStaysRefused(amount: String) {
    #expect(throws: AdjustmentError.self) {
      try entry(#"{"id":"saturation","version":1,"amount":\#(amount)}"#)
    }
  }

  @Test func anAbsentAmountStaysNeutral() throws {
    let saturation = try entry(#"{"id":"saturation","version":1}"#)
    #expect((saturation.adjustment as? Saturation)?.isNeutral == true)
  }

  @Test func theMixerHasThreeSlidersForEachOfEightBands() {
    let options = ColorMixer.parameters.compactMap(\.option)
    #expect(options.count == 24 && Set(options).count == 24)
    #expect(options.first == "color-mixer-red-hue")
    #expect(WhiteBalance.parameters.map(\.option) == ["temperature", "tint"])
    #expect(BlackAndWhite.parameters.first?.option == "black-and-white")
    #expect(ColorGrading.parameters.first?.option == "color-grading-shadows-hue")
  }
}
