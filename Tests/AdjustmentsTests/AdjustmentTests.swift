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
    [Curve.Point(0, 0)], [Curve.Point(0, 0), Curve.Point(0, 1)],
    [Curve.Point(0.5, 0), Curve.Point(0.2, 1)], [Curve.Point(0, -0.1), Curve.Point(1, 1)],
    (0...64).map { Curve.Point(Double($0) / 64, 0.5) },
  ])
  func curvesNeedRisingPointsInsideTheRange(points: [Curve.Point]) {
    var curve = ToneCurve()
    curve.red = Curve(points)
    #expect(throws: AdjustmentError.self) { try StackEntry(curve) }
  }
}
