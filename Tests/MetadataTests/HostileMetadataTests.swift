import Foundation
import SafelightFiles
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

/// Hostile files give metadata or none, and never a crash. `Tests/Fuzzers` has files of its own making.
@Suite struct HostileMetadataTests {
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: SharedData.files(in: ["hostile"], extensions: []))
  func hostileFilesNeverTrap(file: String) throws {
    let data = try SharedData.data(file)
    let header = CarriedMetadata(original: data).header(
      size: (9, 9), baked: 3, profile: nil,
      derivedFrom: OriginalReference(fileName: file, sha256: "0"))
    #expect(header.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(CarriedMetadata(exif: data, xmp: data).jfif == nil)
  }

  /// As when another program writes the file anew while it is read, or a disk fails.
  @Test(arguments: [
    "beach.jpg", "progressive.jpg", "alpha.png", "rgb.tif", "lossy.webp", "photo.heic",
    "photo.avif",
    "exif-gps-makernote.jpg",
  ])
  func aFileThatIsCutShortMeanwhileNeverTraps(name: String) throws {
    let folder = TemporaryFolder()
    let data = try Data(contentsOf: Fixture.url(name)) + Data(count: 300_000)
    for length in [0, 1, 100, 4096, 65_536, 70_000, data.count / 2] where length < data.count {
      let path = folder["photo"]
      try data.write(to: path.fileURL)
      let file = try FileSystem.real.openForReading(path)
      let bytes = PhotoBytes(file, size: data.count)
      try #require(truncate(path.string, length) == 0)
      let metadata = CarriedMetadata(original: bytes).withTrailer()
      _ = metadata.header(
        size: (9, 9), baked: 3, profile: nil,
        derivedFrom: OriginalReference(fileName: name, sha256: "0"))
      _ = (PhotoHeader(bytes), EmbeddedThumbnail(bytes), PictureFingerprint.bytes(of: bytes))
      _ = try? PictureDigest.digest(of: file, size: Int64(data.count), .real)
    }
  }
}
