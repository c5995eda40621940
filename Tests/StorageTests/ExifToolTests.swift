import Foundation
import SafelightFormats
import SafelightTestSupport
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct ExifToolTests {
  @Test(.enabled(if: ExifTool.isInstalled, "needs exiftool"))
  func exiftoolReadsARecordAsAppleAdjustments() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    try folder.edit("second")
    let output = try ExifTool.run([
      "-s", "-FileType", "-AdjustmentFormatIdentifier", "-AdjustmentFormatVersion",
      "-AdjustmentBaseVersion", "-AdjustmentEditorBundleID", "-AdjustmentTimestamp", "-Warning",
      folder.photo.suffixed(".aae").string,
    ])
    let text = String(decoding: output, as: UTF8.self)
    let fields = text.split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      fields == [
        ["FileType", "AAE"], ["AdjustmentFormatIdentifier", "org.safelight.edit"],
        ["AdjustmentFormatVersion", "1.10"], ["AdjustmentBaseVersion", "0"],
        ["AdjustmentEditorBundleID", "org.safelight.tests"],
        ["AdjustmentTimestamp", "2025:08:01 12:34:56Z"],
      ])
  }
}
