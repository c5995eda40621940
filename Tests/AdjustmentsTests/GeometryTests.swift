import SafelightAdjustments
import Testing

@Suite struct GeometryTests {
  @Test(arguments: [
    ("0", QuarterTurns.none), ("90", .right), ("right", .right), ("LEFT", .left), ("-90", .left),
    ("270", .left), ("180", .half), ("-180", .half), ("450", .right),
  ])
  func turnsAreReadAsPeopleSayThem(text: String, expected: QuarterTurns) {
    #expect(QuarterTurns(argument: text, unit: .degrees) == expected)
  }

  @Test(arguments: ["45", "", "up", "90.5"])
  func othersAreNoQuarterTurns(text: String) {
    #expect(QuarterTurns(argument: text, unit: .degrees) == nil)
  }

  @Test func aTurnIsStoredInDegrees() throws {
    var edit = EditStack()
    try edit.set("rotate", to: "left")
    #expect(edit.entries[0].json.text == #"{"id":"rotate","version":1,"amount":270}"#)
    #expect(try EditStack(edit.adjustmentData).entries == edit.entries)
    try edit.set("rotate", to: "0")
    #expect(edit.isEmpty)
  }

  private func crop(_ area: CropArea, _ width: Int = 600, _ height: Int = 400) throws -> [Double] {
    let crop = try Crop(keeping: area, ofWidth: width, height: height)
    return [crop.x, crop.y, crop.width, crop.height]
  }

  @Test func areasBecomeShares() throws {
    #expect(
      try crop(.shares(x: 0.1, y: 0.2, width: 0.3, height: 0.4)) == [0.1, 0.2, 0.3, 0.4])
    #expect(
      try crop(.pixels(x: 60, y: 100, width: 300, height: 200)) == [0.1, 0.25, 0.5, 0.5])
    #expect(try crop(.size(width: 300, height: 200, .center)) == [0.25, 0.25, 0.5, 0.5])
    #expect(try crop(.size(width: 300, height: 200, .bottomRight)) == [0.5, 0.5, 0.5, 0.5])
    #expect(try crop(.aspect(width: 1, height: 1, .left)) == [0, 0, 400.0 / 600, 1])
    #expect(try crop(.aspect(width: 6, height: 1, .top)) == [0, 0, 1, 0.25])
    #expect(try crop(.aspect(width: 3, height: 2, .center)) == [0, 0, 1, 1])
  }

  /// Whole pixels come back from the shares they were turned into.
  @Test(arguments: [601, 4001, 5757, 12_345])
  func pixelsSurviveTheirShares(side: Int) throws {
    for first in stride(from: 0, to: side, by: 97) {
      let crop = try Crop(
        keeping: .pixels(x: first, y: 0, width: side - first, height: 1), ofWidth: side, height: 1)
      #expect(Int((crop.x * Double(side)).rounded()) == first)
      #expect(Int(((crop.x + crop.width) * Double(side)).rounded()) == side)
    }
  }

  @Test(arguments: [
    CropArea.pixels(x: 0, y: 0, width: 601, height: 1), .pixels(x: 600, y: 0, width: 1, height: 1),
    .size(width: 601, height: 10, .center), .shares(x: 0.5, y: 0, width: 0.6, height: 1),
    .pixels(x: 0, y: 0, width: 0, height: 1), .shares(x: 0, y: 0, width: 0, height: 1),
    .shares(x: 1.5, y: 0, width: 1, height: 1), .aspect(width: 0, height: 1, .center),
  ])
  func whatIsNotInThePictureIsRefused(area: CropArea) {
    let error = #expect(throws: AdjustmentError.self) { try crop(area) }
    guard case .parameter(id: "crop", _, _, .outOfRange) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
