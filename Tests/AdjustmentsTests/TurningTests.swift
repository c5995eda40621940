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
