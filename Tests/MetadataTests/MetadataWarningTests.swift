import Foundation
import SafelightTestSupport
import Testing

@testable import SafelightMetadata

@Suite struct MetadataWarningTests {
  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [
      (
        "hdr/Ultra_HDR_Samples_Originals_02.jpg",
        [.gainMapNotCarried(.adobe), .furtherImagesNotCarried(count: 1)]
      ),
      (
        "hdr/apple_gainmap_new.jpg",
        [.gainMapNotCarried(.apple), .furtherImagesNotCarried(count: 1)]
      ),
      (
        "hdr/seine_sdr_gainmap_srgb.jpg",
        [.gainMapNotCarried(.adobe), .furtherImagesNotCarried(count: 1)]
      ),
      ("formats/frozenpond.mpo", [.furtherImagesNotCarried(count: 1)]),
      ("photos/Canon_PowerShot_S400.jpg", [.trailerNotCarried(bytes: 774_820)]),
      ("photos/Nikon_D40.jpg", []),
      ("photos/astronaut.png", []),
      ("hostile/photo_trailing_garbage_64k.jpg", [.trailerNotCarried(bytes: 65_536)]),
    ] as [(String, Set<MetadataWarning>)])
  func realFilesNameWhatTheirRendersLose(file: String, warnings: Set<MetadataWarning>) throws {
    #expect(Set(CarriedMetadata(original: try SharedData.data(file)).warnings) == warnings)
  }

  @Test(
    .enabled(if: SharedData.isThere, SharedData.absence),
    arguments: [
      ("hdr/seine_hdr_rec2020.avif", [.highDynamicRange(.pq)]),
      ("hdr/seine_sdr_gainmap_srgb.avif", [.gainMapNotCarried(.iso)]),
      ("formats/8bit-sRGB.avif", []),
      ("formats/example.heic", []),
      ("formats/pug.heic", [.depthMapNotCarried, .gainMapNotCarried(.apple)]),
    ] as [(String, Set<MetadataWarning>)])
  func codedImagesNameWhatTheirRendersLose(file: String, warnings: Set<MetadataWarning>) throws {
    let metadata = CarriedMetadata(original: try SharedData.data(file))
    #expect(Set(metadata.warnings) == warnings)
  }

  @Test(
    arguments: [
      (.furtherImagesNotCarried(count: 1), "1 further image in the MPF is not carried."),
      (.furtherImagesNotCarried(count: 2), "2 further images in the MPF are not carried."),
      (
        .exifTagsNotCarried([0x10E, 0xA480]),
        "Exif values too large for a JPEG are not carried: 0x010E, 0xA480."
      ),
    ] as [(MetadataWarning, String)])
  func descriptionsAreOneSentence(warning: MetadataWarning, text: String) {
    #expect(warning.description == text)
  }
}
