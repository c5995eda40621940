import Foundation
import SafelightFiles
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// The table of the formats.
@Suite struct FileFormatTests {
  /// A photo of each format.
  static let photos: [PhotoFormat: String] = [
    .jpeg: "beach.jpg", .png: "sixteen-bit.png", .tiff: "rgb.tif", .webp: "lossy.webp",
    .heic: "photo.heic", .avif: "photo.avif",
  ]

  private func header(_ format: PhotoFormat) throws -> PhotoBytes {
    PhotoBytes(try Data(contentsOf: Fixture.url(try #require(Self.photos[format]))))
  }

  @Test(arguments: PhotoFormat.allCases)
  func aPhotoBeginsAsItsFormatAlone(format: PhotoFormat) throws {
    let header = try header(format)
    #expect(PhotoFormat.allCases.filter { $0.file.begins(header) } == [format])
  }

  @Test(arguments: PhotoFormat.allCases)
  func eachRowReadsAPhoto(format: PhotoFormat) throws {
    let header = try header(format)
    let size = try #require(format.file.size(header))
    #expect(size.width > 0 && size.height > 0)
    #expect(PictureFingerprint.bytes(of: header) != nil)
    // The header of a TIFF is the decoder's.
    #expect((PhotoHeader(header) == nil) == (format == .tiff))
  }

  @Test func namesAreOfOneFormat() {
    let rows = PhotoFormat.allCases.map(\.file)
    for names in [
      rows.map(\.title), rows.map(\.contentType), rows.map(\.mediaType),
      rows.flatMap(\.fileExtensions),
    ] {
      #expect(Set(names).count == names.count && names.count >= rows.count)
    }
  }

  @Test func rawFilesAreNoTIFF() {
    let marked = Data(Array("II*\0\u{10}\0\0\0CR\u{2}\0".utf8) + [UInt8](repeating: 0, count: 20))
    #expect(PhotoFormat.recognized(in: PhotoBytes(marked)) == nil)
  }
}
