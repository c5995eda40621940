import SafelightAdjustments
import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct TurnTests {
  /// Every stored orientation, turned and mirrored by the edit, against arrays turned by hand.
  @Test(arguments: 1...8, QuarterTurns.allCases)
  func turnsAndMirrorsJoinThePhotosOrientation(orientation: Int, turns: QuarterTurns) throws {
    let fixture = OpenFixture("orientation/\(orientation).jpg")
    let upright = try fixture.raster()
    var turned = upright
    for _ in 0..<(turns.rawValue / 90) { turned = turned.turnedRight }
    var rotate = Rotate()
    rotate.amount = turns
    for (horizontal, vertical) in [(false, false), (true, false), (false, true), (true, true)] {
      var flip = Flip()
      (flip.horizontal, flip.vertical) = (horizontal, vertical)
      var expected = turned
      if horizontal { expected = expected.mirrored }
      if vertical { expected = expected.upsideDown }
      #expect(try fixture.raster(rotate, flip) == expected)
      // The order in which an edit lists them does not matter.
      #expect(try fixture.raster(flip, rotate) == expected)
    }
  }

  @Test func aCropFollowsTheTurn() throws {
    let fixture = OpenFixture("orientation/6.jpg")
    var rotate = Rotate()
    rotate.amount = .left
    let turned = try fixture.raster(rotate)
    #expect(try fixture.raster(Crop(0.25, 0.5, 0.5, 0.25), rotate) == turned.part(16, 48, 32, 24))
  }

  @Test func aTurnKeepsTheCodesOfAnyProfile() throws {
    let fixture = OpenFixture("cmyk.jpg")
    var rotate = Rotate()
    rotate.amount = .half
    #expect(try fixture.raster(rotate) == fixture.raster().upsideDown.mirrored)
  }
}
