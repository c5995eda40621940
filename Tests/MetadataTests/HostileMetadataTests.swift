import Foundation
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
}
