import Foundation
import SafelightAdjustments
import SafelightMetadata
import SafelightVips
import Testing

@testable import SafelightRendering

/// A mapping says where a spot of light lies that a render shows.
@Suite struct PlaceMappingTests {
  private static let size = PixelSize(width: 200, height: 150)

  @Test(arguments: QuarterTurns.allCases, [-7.5, 0, 12])
  func theSpotLiesWhereTheMappingSays(turns: QuarterTurns, degrees: Double) throws {
    let spot = (x: 0.42, y: 0.56)
    let photo = try SpotFile(at: spot, size: Self.size)
    let fixture = OpenFixture(photo.url)
    var rotate = Rotate()
    rotate.amount = turns
    var straighten = Straighten()
    straighten.amount = degrees
    for (mirrored, tilt) in [(false, 0.0), (true, 0), (false, 35), (true, -60)] {
      var flip = Flip()
      flip.horizontal = mirrored
      var perspective = Perspective()
      (perspective.vertical, perspective.horizontal) = (tilt, -tilt / 3)
      let adjustments: [any Adjustment] = [
        rotate, flip, straighten, perspective, Crop(x: 0.13, y: 0.2, width: 0.71, height: 0.67),
      ]
      let edit = try EditStack(adjustments)
      let mapping = try PlaceMapping(edit, of: Self.size)
      let (image, codes) = try fixture.pixels(edit)
      #expect(mapping.pixelWidth == image.width && mapping.pixelHeight == image.height)
      let place = try #require(mapping.place(x: spot.x, y: spot.y))
      let found = SpotFile.middle(of: codes, bands: image.bands, width: image.width)
      #expect(abs(place.x * Double(image.width) - found.x) < 0.3, "\(turns) \(mirrored) \(tilt)")
      #expect(abs(place.y * Double(image.height) - found.y) < 0.3, "\(turns) \(mirrored) \(tilt)")
      let back = try #require(mapping.photoPlace(x: place.x, y: place.y))
      #expect(abs(back.x - spot.x) < 1e-9 && abs(back.y - spot.y) < 1e-9)
    }
  }

  @Test func anEditWithoutGeometryMovesNothing() throws {
    var saturation = Saturation()
    saturation.amount = 0.5
    let mapping = try PlaceMapping(EditStack([saturation]), of: Self.size)
    #expect(mapping.matrix == [1, 0, 0, 0, 1, 0, 0, 0, 1])
    #expect(mapping.pixelWidth == 200 && mapping.pixelHeight == 150)
  }

  @Test func anAreaIsCutAtTheEdgeAndGoesOutside() throws {
    let mapping = try PlaceMapping(
      EditStack([Crop(x: 0, y: 0, width: 0.5, height: 1)]), of: Self.size)
    let cut = try #require(mapping.area(x: 0.4, y: 0.25, width: 0.2, height: 0.5))
    #expect(abs(cut.x - 0.8) < 1e-12 && abs(cut.width - 0.2) < 1e-12)
    #expect(abs(cut.y - 0.25) < 1e-12 && abs(cut.height - 0.5) < 1e-12)
    #expect(mapping.area(x: 0.6, y: 0.25, width: 0.2, height: 0.5) == nil)
  }
}

/// A gray TIFF with a soft spot of light.
private struct SpotFile: ~Copyable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("safelight-\(UUID().uuidString).tif")

  init(at place: (x: Double, y: Double), size: PixelSize) throws {
    let (x, y) = (place.x * Double(size.width), place.y * Double(size.height))
    var pixels: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (across, down) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        pixels.append(UInt8(255 * exp(-(across * across + down * down) / 18)))
      }
    }
    func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    let entries = [
      (256, size.width), (257, size.height), (258, 8), (259, 1), (262, 1), (273, 200), (277, 1),
      (278, size.height), (279, pixels.count),
    ]
    var bytes = Array("II".utf8) + short(42) + short(8) + short(0) + short(entries.count)
    for (tag, value) in entries {
      bytes += short(tag) + short(3) + short(1) + short(0) + short(value) + short(0)
    }
    bytes += [UInt8](repeating: 0, count: 200 - bytes.count)
    try Data(bytes + pixels).write(to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The middle of all light, in pixels.
  static func middle(of codes: [Int], bands: Int, width: Int) -> (x: Double, y: Double) {
    var (x, y, sum) = (0.0, 0.0, 0.0)
    for index in 0..<(codes.count / bands) {
      let code = Double(codes[index * bands])
      x += code * (Double(index % width) + 0.5)
      y += code * (Double(index / width) + 0.5)
      sum += code
    }
    return (x / sum, y / sum)
  }
}
