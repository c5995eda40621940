import Foundation
import SafelightAdjustments
import SafelightVips
import Testing

@testable import SafelightMetadata
@testable import SafelightRendering

/// A picture with a second plane of a quarter of its size.
@Suite(.serialized) struct PlaneTests {
  private static let size = PixelSize(width: 400, height: 280)
  private static let role = PlaneRole(name: "test")

  /// A scene without fine detail, from 20 to 235, for places from 0 to 1.
  private func scene(_ x: Double, _ y: Double) -> Double {
    127.5 + 60 * sin(4 * x + 1) + 47 * cos(5 * y - 3 * x)
  }

  private func bytes(_ size: PixelSize, bands: Int) -> [UInt8] {
    (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in
        let value = scene(
          (Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        return [UInt8](repeating: UInt8(value.rounded()), count: bands)
      }
    }
  }

  private func image(_ size: PixelSize, bands: Int) throws -> Image {
    try Image.fromMemory(
      bytes(size, bands: bands), width: size.width, height: size.height, bands: bands,
      format: .uint8)
  }

  private struct Rendered {
    let bytes: [UInt8]
    let color: Image
    let plane: Image?
  }

  /// The scene with an edit, as a JPEG.
  private func render(_ edit: EditStack, withPlane: Bool) throws -> Rendered {
    final class Collector { var bytes: [UInt8] = [] }
    let plan = try RenderPlan(edit)
    let collector = Collector()
    try image(Self.size, bands: 3).writePNG(to: Target { collector.bytes += $0 })
    return try TemporaryFile.holding(collector.bytes) { fixture in
      let opened = try Renderer().open(fixture.source())
      let small = PixelSize(width: Self.size.width / 4, height: Self.size.height / 4)
      let others = withPlane ? [Self.role: try image(small, bands: 1)] : [:]
      let photo = try DecodedPhoto(
        opened, Picture(opened.image, others: others),
        for: .init(orientation: plan.turn, inAnyOrder: true))
      let picture = try plan.picture(of: photo, opened, as: .jpeg)
      let encoder = RenderEncoder(
        output: RenderOutput(format: .jpeg, quality: 95), metadata: opened.metadata,
        orientation: plan.turn.exif, profile: nil,
        original: OriginalReference(fileName: "scene.png", sha256: ""), isResized: false,
        coding: nil, cancellation: nil)
      let file = Collector()
      _ = try encoder.encode(picture) { file.bytes += $0 }
      return Rendered(
        bytes: file.bytes, color: try picture.image.inMemory(),
        plane: try picture.picture.others[Self.role]?.inMemory())
    }
  }

  /// The sizes of the pictures that the file's list names, and where they are.
  private func list(_ bytes: [UInt8]) throws -> [Range<Int>] {
    let start = try #require(bytes.offset(of: "MPF\0", in: 0..<bytes.count))
    let length = try #require(bytes.uint16(at: start - 2))
    let payload = Array(bytes[start..<(start + length - 2)])
    return try #require(MultiPictureIndex(payload, at: start)).images
  }

  private static let edits: [[any Adjustment]] = {
    var (rotate, flip, exposure) = (Rotate(), Flip(), Exposure())
    (rotate.amount, flip.horizontal, exposure.amount) = (.right, true, 0.3)
    let crop = Crop(x: 0.111, y: 0.2, width: 0.63, height: 0.7)
    return [
      [], [Straighten(4)], [Crop(x: 0.1, y: 0.25, width: 0.8, height: 0.5)],
      [rotate, Straighten(-7), crop, exposure],
      [flip, Perspective(vertical: 40, horizontal: -20)],
    ]
  }()

  /// Each pixel of the plane shows the place that the color shows there, in codes that the edit does not change.
  @Test(arguments: edits.indices)
  func geometryKeepsThePlaneOverTheColor(index: Int) throws {
    let geometry = Self.edits[index].filter { !($0 is Exposure) }
    let rendered = try render(try EditStack(Self.edits[index]), withPlane: true)
    let color = try render(try EditStack(geometry), withPlane: false).color
    let plane = try #require(rendered.plane)
    #expect(abs(Double(color.width) / 4 - Double(plane.width)) <= 0.5)
    #expect(abs(Double(color.height) / 4 - Double(plane.height)) <= 0.5)
    let (fine, coarse) = (try color.pixelBytes(), try plane.pixelBytes())
    var worst = 0
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let column = (Double(x) + 0.5) * Double(color.width) / Double(plane.width)
        let row = (Double(y) + 0.5) * Double(color.height) / Double(plane.height)
        let place =
          min(Int(row), color.height - 1) * color.width + min(Int(column), color.width - 1)
        worst = max(worst, abs(Int(fine[3 * place]) - Int(coarse[y * plane.width + x])))
      }
    }
    // A pixel of the color is a code or two away from the next one; a quarter of the plane's is more.
    #expect(worst <= 3)
  }

  /// The file has two pictures where its list says, and without the list and the second one it is the file of a picture
  /// without planes.
  @Test func theListOfTheFileFindsBothPictures() throws {
    let edit = try EditStack(Self.edits[3])
    let (single, double) = (
      try render(edit, withPlane: false), try render(edit, withPlane: true)
    )
    let plane = try #require(double.plane)
    let places = try list(double.bytes)
    #expect(places.count == 2 && places.last?.upperBound == double.bytes.count)
    #expect(places[0].upperBound == places[1].lowerBound)
    for (place, size) in zip(places, [double.color.size, plane.size]) {
      let part = Array(double.bytes[place])
      #expect(part.starts(with: [0xFF, 0xD8]) && part.suffix(2) == [0xFF, 0xD9])
      let decoded = try TemporaryFile.holding(part) { try $0.pixels().image.size }
      #expect(decoded == size)
    }
    let start = try #require(double.bytes.offset(of: "MPF\0", in: 0..<double.bytes.count)) - 4
    let length = try #require(double.bytes.uint16(at: start + 2)) + 2
    let first = Array(double.bytes[places[0]])
    #expect(Array(first[..<start] + first[(start + length)...]) == single.bytes)
  }
}
