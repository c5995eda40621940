import SafelightAdjustments
import Testing

@Suite struct TurningTests {
  /// A crop of the top left corner, twice as wide as high, with a tilt and a taller right side.
  private func cropped() throws -> EditStack {
    var edit = EditStack()
    try edit.adjust(Crop.self) { crop in
      (crop.x, crop.y, crop.width, crop.height) = (0.125, 0.25, 0.5, 0.25)
    }
    try edit.adjust(Straighten.self) { $0.amount = 3 }
    try edit.adjust(Perspective.self) { ($0.horizontal, $0.vertical) = (20, -7) }
    return edit
  }

  private func shares(_ edit: EditStack) throws -> [Double] {
    let crop = try edit.adjustment(Crop.self)
    return [crop.x, crop.y, crop.width, crop.height]
  }

  @Test(arguments: [
    (QuarterTurns.right, [0.5, 0.125, 0.25, 0.5], [7.0, 20]),
    (.half, [0.375, 0.5, 0.5, 0.25], [-20, 7]), (.left, [0.25, 0.375, 0.25, 0.5], [-7, -20]),
  ])
  func aTurnTakesTheCropAlong(turn: QuarterTurns, crop: [Double], sides: [Double]) throws {
    var edit = try cropped()
    try edit.turn { rotate, _ in rotate.amount = turn }
    #expect(try shares(edit) == crop)
    let perspective = try edit.adjustment(Perspective.self)
    #expect([perspective.horizontal, perspective.vertical] == sides)
    #expect(try edit.adjustment(Straighten.self).amount == 3)
  }

  @Test func aMirrorTurnsTheTiltRound() throws {
    var edit = try cropped()
    try edit.turn { _, flip in flip.horizontal = true }
    #expect(try shares(edit) == [0.375, 0.25, 0.5, 0.25])
    #expect(try edit.adjustment(Straighten.self).amount == -3)
    #expect(try edit.adjustment(Perspective.self).horizontal == -20)
    try edit.turn { _, flip in flip.vertical = true }
    #expect(try edit.adjustment(Straighten.self).amount == 3)
  }

  @Test func thereAndBackIsWhereItWas() throws {
    for turn in QuarterTurns.allCases {
      for (horizontal, vertical) in [(false, false), (true, false), (false, true), (true, true)] {
        var edit = try cropped()
        try edit.turn { rotate, flip in
          rotate.amount = turn
          (flip.horizontal, flip.vertical) = (horizontal, vertical)
        }
        try edit.turn { rotate, flip in (rotate, flip) = (Rotate(), Flip()) }
        #expect(try shares(edit) == [0.125, 0.25, 0.5, 0.25])
        #expect(try edit.adjustment(Straighten.self).amount == 3)
        #expect(try edit.adjustment(Perspective.self).vertical == -7)
      }
    }
  }

  @Test func theSameTurnAgainChangesNoByte() throws {
    var edit = try cropped()
    try edit.turn { rotate, _ in rotate.amount = .right }
    let once = edit.adjustmentData
    try edit.turn { rotate, _ in rotate.amount = .right }
    #expect(edit.adjustmentData == once)
  }

  @Test func anEditWithoutGeometryGetsTheTurnAlone() throws {
    var edit = EditStack()
    try edit.turn { rotate, _ in rotate.amount = .left }
    #expect(edit.entries.map(\.id) == ["rotate"])
  }
}

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

  private func crop(_ area: CropArea, width: Int = 600, height: Int = 400) throws -> [Double] {
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

  /// Shares made from whole pixels give the same pixels.
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
