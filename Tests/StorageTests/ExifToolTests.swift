import Foundation
import SafelightFormats
import Testing

@testable import SafelightFiles
@testable import SafelightStorage

@Suite struct ExifToolTests {
  static let executable = "/usr/bin/exiftool"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: executable), "needs exiftool"))
  func exiftoolReadsARecordAsAppleAdjustments() throws {
    let folder = PhotoFolder()
    try folder.edit("first")
    try folder.edit("second")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.executable)
    process.arguments = [
      "-s", "-FileType", "-AdjustmentFormatIdentifier", "-AdjustmentFormatVersion",
      "-AdjustmentBaseVersion", "-AdjustmentEditorBundleID", "-AdjustmentTimestamp", "-Warning",
      folder.photo.suffixed(".aae").string,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
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
