import Foundation
import SafelightAdjustments
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// Straightening and perspective through the whole renderer, against arithmetic in double precision.
@Suite struct WarpTests {
  /// Half a code is rounding; a thousandth is what floats and their coding may add.
  private static let limit = 0.501

  @Test(arguments: [-45.0, -7.5, -0.3, 0.1, 2, 33])
  func straighteningIsARotationAroundTheMiddle(degrees: Double) throws {
    let fixture = OpenFixture("orientation/1.jpg")
    let source = try fixture.raster()
    let result = try fixture.raster(Straighten(degrees))
    let angle = degrees * .pi / 180
    let (wide, high) = (Double(source.width), Double(source.height))
    let share = min(
      wide / (wide * cos(angle) + high * abs(sin(angle))),
      high / (wide * abs(sin(angle)) + high * cos(angle)))
    #expect(result.width == Int(share * wide) && result.height == Int(share * high))
    let worst = result.worstDifference(from: source) { x, y in
      let (right, down) = (x - Double(result.width) / 2, y - Double(result.height) / 2)
      return (
        wide / 2 + right * cos(angle) + down * sin(angle),
        high / 2 - right * sin(angle) + down * cos(angle)
      )
    }
    #expect(worst < Self.limit)
  }

  /// Where the picture's middle lies in the result is left open by the rays; it is taken from the
  /// transform, and everything else from the rotation of rays about two axes.
  @Test(arguments: [(50.0, 0.0), (-100, 0), (0, 80), (-30, -60), (100, 100)])
  func perspectiveIsTheTurnOfACamera(vertical: Double, horizontal: Double) throws {
    let fixture = OpenFixture("orientation/1.jpg")
    let perspective = Perspective(vertical: vertical, horizontal: horizontal)
    let source = try fixture.raster()
    let result = try fixture.raster(perspective)
    let (wide, high) = (Double(source.width), Double(source.height))
    let (up, right) = (-vertical / 100 * .pi / 6, -horizontal / 100 * .pi / 6)
    let length = max(wide, high)
    // The source's place for a ray of the straight camera, as a product of turns.
    func place(_ x: Double, _ y: Double) -> (Double, Double) {
      let turned = (x * cos(right) + length * sin(right), length * cos(right) - x * sin(right))
      let ray = (
        turned.0, y * cos(up) + turned.1 * sin(up), turned.1 * cos(up) - y * sin(up)
      )
      return (wide / 2 + length * ray.0 / ray.2, high / 2 + length * ray.1 / ray.2)
    }
    let context = StepContext(width: source.width, height: source.height, scale: 1)
    let transform = try #require(perspective.transform(in: context))
    let corner = transform.source(0, 0)
    // The ray that shows the result's first corner, by the turns backwards.
    let (x, y) = (corner.x - wide / 2, corner.y - high / 2)
    let depth = y * sin(up) + length * cos(up)
    let ahead = x * sin(right) + depth * cos(right)
    let left = length * (x * cos(right) - depth * sin(right)) / ahead
    let top = length * (y * cos(up) - length * sin(up)) / ahead
    let worst = result.worstDifference(from: source) { place(left + $0, top + $1) }
    #expect(worst < Self.limit)
  }

  /// Random pictures and settings: the corners of the result lie inside the picture, its aspect is
  /// the picture's, and it is as large as it can be.
  @Test(arguments: 0..<200)
  func noCornerIsEverEmpty(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let width = Int.random(in: 1...6000, using: &random)
    let height = Int.random(in: 1...6000, using: &random)
    let context = StepContext(width: width, height: height, scale: 1)
    let straighten = Straighten(Double.random(in: -45...45, using: &random))
    let perspective = Perspective(
      vertical: Double.random(in: -100...100, using: &random),
      horizontal: seed % 3 == 0 ? 0 : Double.random(in: -100...100, using: &random))
    for adjustment in [straighten, perspective] as [any GeometryRenderable] {
      guard let transform = adjustment.transform(in: context) else {
        Issue.record("\(adjustment) does nothing to \(width) × \(height)")
        continue
      }
      let (wide, high) = (Double(transform.width), Double(transform.height))
      let corners = [(0, 0), (wide, 0), (0, high), (wide, high)].map(transform.source)
      // Less than a pixel cannot be kept of a very long picture.
      if min(transform.width, transform.height) > 1 {
        for corner in corners {
          #expect(corner.x > -1e-6 && corner.x < Double(width) + 1e-6)
          #expect(corner.y > -1e-6 && corner.y < Double(height) + 1e-6)
        }
        // Two pixels more would not fit: a corner touches an edge.
        let touches = corners.contains { corner in
          min(corner.x, Double(width) - corner.x, corner.y, Double(height) - corner.y) < 3
        }
        #expect(touches)
      }
      #expect(
        abs(wide * Double(height) / Double(width) - high) < 1 + Double(height) / Double(width))
    }
  }

  /// The best of many rectangles that were tried at random is not better.
  @Test(arguments: 0..<20)
  func theRectangleKeptIsTheLargest(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    func near(_ value: Double) -> Double { value + Double.random(in: -0.3...0.3, using: &random) }
    let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { (x: near($0.0), y: near($0.1)) }
    let (width, height) = (2.0, Double.random(in: 0.5...3, using: &random))
    let kept = try #require(InscribedRectangle(width: width, height: height, in: corners))
    func isInside(_ x: Double, _ y: Double) -> Bool {
      corners.indices.allSatisfy { index in
        let (start, end) = (corners[index], corners[(index + 1) % 4])
        return (end.x - start.x) * (y - start.y) - (end.y - start.y) * (x - start.x) > -1e-9
      }
    }
    func fits(_ x: Double, _ y: Double, _ share: Double) -> Bool {
      [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].allSatisfy {
        isInside(x + $0.0 * share * width, y + $0.1 * share * height)
      }
    }
    #expect(fits(kept.x, kept.y, kept.share))
    for _ in 0..<20_000 {
      let (x, y) = (
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random)
      )
      #expect(!fits(x, y, kept.share * 1.0001))
    }
  }

  /// Straightening, perspective and crop move every pixel once: the crop of the straightened
  /// picture is a part of it, to the code.
  @Test func aCropOfAStraightenedPictureIsAPartOfIt() throws {
    let fixture = OpenFixture("beach.jpg")
    let (straighten, perspective) = (Straighten(3), Perspective(vertical: -40, horizontal: 10))
    let whole = try fixture.raster(straighten, perspective)
    let cropped = try fixture.raster(straighten, perspective, Crop(0.25, 0.125, 0.5, 0.5))
    let left = Int((0.25 * Double(whole.width)).rounded())
    let top = Int((0.125 * Double(whole.height)).rounded())
    let part = whole.part(left, top, cropped.width, cropped.height)
    // Places that are computed in another order differ in their last digit.
    #expect(zip(part.codes, cropped.codes).allSatisfy { abs($0 - $1) <= 1 })
    #expect(zip(part.codes, cropped.codes).count { $0 != $1 } < part.codes.count / 1000)
  }

  /// What follows a straightening and what comes before it: colors are changed before pixels move.
  @Test func colorsComeBeforeTheMove() throws {
    let fixture = OpenFixture("orientation/1.jpg")
    var invert = Invert()
    invert.amount = 100
    let plain = try fixture.raster(Straighten(5))
    let inverted = try fixture.raster(Straighten(5), invert)
    // Cubic convolution is linear but for what is cut off beyond black and white.
    #expect(zip(plain.codes, inverted.codes).allSatisfy { abs(255 - $0 - $1) <= 1 })
  }
}
