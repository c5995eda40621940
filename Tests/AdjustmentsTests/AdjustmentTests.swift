import Testing

@testable import SafelightAdjustments

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

/// Edits of earlier versions keep their meaning, and those of newer ones their text.
@Suite struct UpgradeTests {
  /// Version 1 called its amount `strength`, and versions 1 and 2 counted in shares of 1.
  private struct Softness: Adjustment {
    static let id = "softness"
    static let version = 3
    static let group = AdjustmentGroup.detail
    static let summary = "Makes the picture softer."
    static let parameters: [Parameter<Self>] = [
      Parameter(\.amount, "amount", range: 0...100, unit: .percent, summary: "How soft it gets.")
    ]
    var amount = 0.0

    static func upgrade(_ fields: inout [JSONValue.Member], from version: Int) {
      fields = fields.map { field in
        if version == 1, field.key == "strength" { return .init("amount", field.value) }
        guard version == 2, field.key == "amount", let share = field.value.number else {
          return field
        }
        return .init("amount", .number(share * 100))
      }
    }
  }

  private func entry(_ json: String) throws -> StackEntry {
    try StackEntry(json: JSONValue(parsing: json.utf8)) { $0 == Softness.id ? Softness.self : nil }
  }

  @Test(arguments: [
    #"{"id":"softness","version":1,"strength":0.250,"mask":"sky"}"#,
    #"{"id":"softness","version":2,"amount":2.5e-1,"mask":"sky"}"#,
    #"{"id":"softness","version":3,"amount":25,"mask":"sky"}"#,
  ])
  func fieldsAreUpgradedFromVersionToVersionAndKeptAsTheyWereStored(json: String) throws {
    let stored = try entry(json)
    #expect((stored.adjustment as? Softness)?.amount == 25)
    #expect(stored.unknownFields == ["mask"])
    #expect(stored.json.text == json)
    #expect(stored.rewritten.version == stored.version)
  }

  @Test func aChangedAdjustmentIsStoredAsThisVersionDoes() throws {
    let stored = try entry(#"{"id":"softness","version":1,"strength":0.25,"mask":"sky"}"#)
    var softness = try #require(stored.adjustment as? Softness)
    softness.amount = 30
    try #expect(
      stored.changed(to: softness).json.text
        == #"{"id":"softness","version":3,"amount":30,"mask":"sky"}"#)
  }

  @Test(arguments: ["1.01", "\"1\"", "[1]"])
  func whatIsOutOfRangeAfterAnUpgradeIsRefused(amount: String) {
    #expect(throws: AdjustmentError.self) {
      try entry(#"{"id":"softness","version":2,"amount":\#(amount)}"#)
    }
  }

  @Test func anAbsentAmountIsNeutral() throws {
    try #expect(entry(#"{"id":"softness","version":1}"#).adjustment?.isNeutral == true)
  }

  @Test func aNewerVersionCannotBeUsedAndIsKept() throws {
    let json = #"{"id": "softness","version":4,"amount":2.50,"reach":[1.0]}"#
    let stored = try entry(json)
    #expect(stored.adjustment == nil && stored.version == 4)
    #expect(stored.unknownFields == ["amount", "reach"])
    #expect(stored.rewritten.json.text == json)
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
