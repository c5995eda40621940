import SafelightAdjustments
import Testing

@Suite struct AdjustmentTests {
  @Test(arguments: AdjustmentRegistry.all.map { $0.id })
  func neutralValuesAreValidAndSurviveStorage(id: String) throws {
    let type = try #require(AdjustmentRegistry.all.first { $0.id == id })
    func check(_ type: (some Adjustment).Type) throws {
      let neutral = type.init()
      #expect(neutral.isNeutral)
      try neutral.validate()
      let stored = try StackEntry(neutral)
      let read = try StackEntry(json: JSONValue(parsing: stored.json.text.utf8))
      #expect(read == stored)
      #expect(read.unknownFields.isEmpty)
      #expect(read.adjustment.map { AnyHashable($0) } == AnyHashable(neutral))
    }
    try check(type)
  }

  @Test func everyAdjustmentHasItsOwnId() {
    #expect(Set(AdjustmentRegistry.all.map { $0.id }).count == AdjustmentRegistry.all.count)
  }

  @Test(arguments: [-100.1, 150, .nan, .infinity])
  func numbersOutOfRangeAreRefused(amount: Double) {
    var saturation = Saturation()
    saturation.amount = amount
    #expect(throws: AdjustmentError.self) { try StackEntry(saturation) }
  }

  @Test func theMessageNamesParameterValueAndRange() {
    var saturation = Saturation()
    saturation.amount = 150
    let error = #expect(throws: AdjustmentError.self) { try StackEntry(saturation) }
    #expect(error?.description == "The amount of saturation is 150, outside -100 to 100.")
  }

  @Test(arguments: [
    [ToneCurve.Curve.Point(0, 0)], [ToneCurve.Curve.Point(0, 0), ToneCurve.Curve.Point(0, 1)],
    [ToneCurve.Curve.Point(0.5, 0), ToneCurve.Curve.Point(0.2, 1)],
    [ToneCurve.Curve.Point(0, -0.1), ToneCurve.Curve.Point(1, 1)],
    (0...64).map { ToneCurve.Curve.Point(Double($0) / 64, 0.5) },
  ])
  func curvesNeedRisingPointsInsideTheRange(points: [ToneCurve.Curve.Point]) {
    var curve = ToneCurve()
    curve.red = ToneCurve.Curve(points)
    #expect(throws: AdjustmentError.self) { try StackEntry(curve) }
  }
}

/// Edits of earlier versions keep their meaning.
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

@Suite struct FormatVersionTests {
  @Test(arguments: [("1.10", "1.9"), ("2", "1.99"), ("1.0.1", "1"), ("10.0", "9.9")])
  func comparesAsDottedIntegers(newer: String, older: String) throws {
    #expect(try #require(FormatVersion(newer)) > #require(FormatVersion(older)))
  }

  @Test func missingPartsCountAsZero() {
    #expect(FormatVersion("1") == FormatVersion("1.0.0"))
    #expect(FormatVersion("1")?.description == "1.0")
  }

  @Test(arguments: ["", "1.", "a", "1.-2", "+1", " 1", "99999999999999999999"])
  func refusesWhatIsNotNumbersBetweenDots(text: String) {
    #expect(FormatVersion(text) == nil)
  }
}

/// An example of geometry with one number; not in the registry.
struct SampleCrop: Adjustment {
  static let id = "sample-crop"
  static let version = 1
  static let group = AdjustmentGroup.geometry
  static let summary = "Cuts the right side off."
  static let parameters: [Parameter<Self>] = [
    Parameter(\.width, "width", unit: .share, summary: "How much stays.")
  ]

  var width = 1.0
}

/// Words to choose from.
enum SampleMethod: String, CaseIterable, ParameterValue {
  case nearest, lanczos
}
