import Foundation
import Testing

@testable import SafelightEditCommands

/// A report never takes the place of a file that is no report.
@Suite struct ReportFileTests {
  private let folder = CommandFolder()

  @Test(arguments: [
    ["apply", "noir", "--report", "@/1.jpg", "@/2.jpg"],
    ["apply", "noir", "--dry-run", "--report", "@/1.jpg", "@/2.jpg"],
    ["revert", "--report", "@/1.jpg", "@/2.jpg"],
  ])
  func aPhotoIsNotOverwritten(words: [String]) async throws {
    try folder.add("orientation/1.jpg")
    try folder.add("orientation/2.jpg")
    let before = folder.contents
    let transcript = await folder.edit(words)
    #expect(transcript.code == 64)
    let message = "@/1.jpg is there and is no report. Choose another name, or remove the file."
    #expect(transcript.messages.contains { $0.contains(message) })
    #expect(folder.contents == before)
  }

  @Test func anEarlierReportIsReplaced() async throws {
    try folder.add("orientation/1.jpg")
    _ = await folder.edit(["apply", "noir", "--report", "@/log", "@/1.jpg"])
    let first = folder.data("log")
    _ = await folder.edit(["revert", "--report", "@/log", "@/1.jpg"])
    let second = folder.data("log")
    #expect(first != second && second?.isEmpty == false)
  }

  @Test func aReportThatCannotBeWrittenIsAFailure() async throws {
    try folder.add("orientation/1.jpg")
    let transcript = await folder.edit(["apply", "noir", "--report", "/dev/full", "@/1.jpg"])
    #expect(transcript.code == 1)
    #expect(
      transcript.messages.last
        == "edit: The report is not complete: /dev/full could not be written: the disk is full.")
  }
}
