import Foundation
import SafelightAdjustments
import Testing

@testable import SafelightRendering

/// Where the frames of a video get their pixels from, by arithmetic of its own.
@Suite struct FrameMovementTests {
  private let frame = PixelSize(width: 480, height: 360)

  private func movement(_ adjustments: any Adjustment...) throws -> FrameMovement {
    try FrameMovement(EditStack(adjustments), of: frame)
  }

  private func rotate(_ turns: QuarterTurns) -> Rotate {
    var rotate = Rotate()
    rotate.amount = turns
    return rotate
  }

  private func flip(horizontal: Bool = false, vertical: Bool = false) -> Flip {
    var flip = Flip()
    (flip.horizontal, flip.vertical) = (horizontal, vertical)
    return flip
  }

  private func expect(
    _ movement: FrameMovement, _ corners: [(Double, Double)], within limit: Double = 1e-6
  ) {
    for (found, expected) in zip(movement.corners, corners) {
      #expect(abs(found.x - expected.0) < limit && abs(found.y - expected.1) < limit)
    }
  }

  @Test func quarterTurnsAloneNeedNoFrame() throws {
    #expect(try movement().quarterTurns == 0 && movement().isNothing)
    for (turns, count) in [(QuarterTurns.right, 1), (.half, 2), (.left, 3)] {
      let found = try movement(rotate(turns))
      #expect(found.quarterTurns == count && found.isProjective && !found.isNothing)
      #expect(found.size == (count == 2 ? frame : frame.turned) && found.turned == found.size)
    }
    #expect(try movement(flip(horizontal: true, vertical: true)).quarterTurns == 2)
    #expect(try movement(flip(horizontal: true)).quarterTurns == nil)
    #expect(try movement(flip(horizontal: true)).orientation == 2)
    #expect(try movement(flip(vertical: true)).orientation == 4)
    #expect(
      try movement(rotate(.right), Crop(x: 0, y: 0, width: 0.5, height: 1)).quarterTurns == nil)
    var exposure = Exposure()
    exposure.amount = 0.5
    #expect(try movement(rotate(.right), exposure).quarterTurns == nil)
    #expect(try movement(exposure).isNothing)
  }

  @Test func aCropIsAPartInWholePixels() throws {
    let found = try movement(Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    #expect(found.origin == FrameMovement.Place(x: 120, y: 180))
    #expect(found.size == PixelSize(width: 240, height: 90))
    expect(found, [(120, 180), (360, 180), (120, 270), (360, 270)])
    // Sides are even: 0.31 of 480 are 149 pixels.
    let odd = try movement(Crop(x: 0, y: 0, width: 0.31, height: 1))
    #expect(odd.size == PixelSize(width: 148, height: 360))
    expect(odd, [(0, 0), (148, 0), (0, 360), (148, 360)])
  }

  @Test func aCropIsOneOfTheTurnedFrame() throws {
    let found = try movement(rotate(.right), Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    #expect(found.orientation == 6 && found.turned == frame.turned)
    #expect(found.origin == FrameMovement.Place(x: 90, y: 240))
    #expect(found.size == PixelSize(width: 180, height: 120))
  }

  @Test(arguments: [-12.0, -0.4, 3, 33])
  func straighteningTurnsAroundTheMiddle(degrees: Double) throws {
    let found = try movement(Straighten(degrees))
    let angle = degrees * .pi / 180
    let (wide, high) = (480.0, 360.0)
    let share = min(
      wide / (wide * cos(angle) + high * abs(sin(angle))),
      high / (wide * abs(sin(angle)) + high * cos(angle)))
    let whole = (floor(share * wide), floor(share * high))
    #expect(found.size.width == Int(whole.0) & ~1 && found.size.height == Int(whole.1) & ~1)
    #expect(found.origin == nil && found.isProjective)
    let (width, height) = (Double(found.size.width), Double(found.size.height))
    let corners = [(0, 0), (width, 0), (0, height), (width, height)].map { x, y in
      let (right, down) = (x - whole.0 / 2, y - whole.1 / 2)
      return (
        wide / 2 + right * cos(angle) + down * sin(angle),
        high / 2 - right * sin(angle) + down * cos(angle)
      )
    }
    expect(found, corners)
  }

  /// The places of the photo that metadata name move the other way.
  @Test(arguments: [(30.0, 0.0), (-60, 20), (0, 90)])
  func allGeometryIsOneMap(vertical: Double, horizontal: Double) throws {
    let stack = try EditStack([
      Perspective(vertical: vertical, horizontal: horizontal), Straighten(4),
      Crop(x: 0.1, y: 0.2, width: 0.6, height: 0.7),
    ])
    let found = try FrameMovement(stack, of: frame)
    let mapping = try RenderPlan(stack).placeMapping(of: frame)
    let size = (Double(mapping.pixelWidth), Double(mapping.pixelHeight))
    let (width, height) = (Double(found.size.width), Double(found.size.height))
    for (corner, (x, y)) in zip(
      found.corners, [(0, 0), (width, 0), (0, height), (width, height)])
    {
      let m = mapping.matrix
      let (u, v) = (corner.x / 480, corner.y / 360)
      let w = m[6] * u + m[7] * v + m[8]
      #expect(abs((m[0] * u + m[1] * v + m[2]) / w * size.0 - x) < 1e-6)
      #expect(abs((m[3] * u + m[4] * v + m[5]) / w * size.1 - y) < 1e-6)
    }
  }
}
