import SafelightMetadata
import SafelightTestSupport
import SafelightVips
import Testing

@testable import SafelightRendering

/// The table of the decoders has the formats of the table of files, by the type of its key.
@Suite(.serialized) struct PhotoDecoderTests {
  /// A photo of each format.
  static let photos: [PhotoFormat: String] = [
    .jpeg: "beach.jpg", .png: "sixteen-bit.png", .tiff: "rgb.tif", .webp: "lossy.webp",
    .heic: "photo.heic", .avif: "photo.avif",
  ]

  @Test(arguments: PhotoFormat.allCases)
  func bothTablesSayTheSameOfAPhoto(format: PhotoFormat) throws {
    let fixture = OpenFixture(try #require(Self.photos[format]))
    let opened = try Renderer().open(fixture.source())
    #expect(opened.format == format)
    let (picture, shrink) = try opened.picture(shrink: 2)
    #expect((shrink == 2) == format.decoder.shrinks)
    #expect(shrink == 2 || picture.color.size == opened.size)
    #expect((format.decoder.module == .heif) == (format == .heic || format == .avif))
  }
}
