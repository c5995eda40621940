import SafelightVips
import Testing

@testable import SafelightRendering

@Suite struct OrientationTests {
  /// Two orientations one after the other turn pixels as libvips turns them one after the other.
  @Test(arguments: 1...8, 1...8)
  func oneAfterAnotherIsOne(first: Int, second: Int) throws {
    let codes = (0..<18).map { UInt8($0) }
    let picture = try Image.fromMemory(codes, width: 3, height: 2, bands: 3, format: .uint8)
    let twice = try picture.upright(from: first).inMemory().upright(from: second)
    let joined = Orientation(exif: first).followed(by: Orientation(exif: second))
    let once = try picture.upright(from: joined.exif)
    #expect(try once.pixelBytes() == twice.pixelBytes())
    #expect(once.width == twice.width)
  }

  @Test func turnsAndMirrorsHaveTheirExifValues() {
    #expect((0..<4).map { Orientation(mirrored: false, quarters: $0).exif } == [1, 6, 3, 8])
    #expect((0..<4).map { Orientation(mirrored: true, quarters: $0).exif } == [2, 5, 4, 7])
    #expect(Orientation(mirrored: false, quarters: -1).exif == 8)
    #expect(Orientation(exif: 9) == .upright)
  }
}
